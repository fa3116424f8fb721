// SPDX-License-Identifier: Apache-2.0
// Fixed: the thread is told to end, and joined.
#include <pthread.h>
#include <semaphore.h>

static sem_t never, ready;

static void* wait_for_ever(void* unused) {
  sem_post(&ready);
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  sem_init(&ready, 0, 0);
  pthread_create(&thread, NULL, wait_for_ever, NULL);
  sem_wait(&ready);
  sem_post(&never);
  pthread_join(thread, NULL);
  return 0;
}
