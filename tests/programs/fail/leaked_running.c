// SPDX-License-Identifier: Apache-2.0
// Bug: the program ends while a thread waits for ever that nobody joins.
// TEST: --fail-on leaked-thread
// EXPECT: kind=leaked-thread within=20 message~"T1 is left when the process ends"
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
  return 0;
}
