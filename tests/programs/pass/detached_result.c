// SPDX-License-Identifier: Apache-2.0
// Fixed: the detached thread posts after its result is there; it may outlive main harmlessly.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t finished;
static int result;

static void* work(void* unused) {
  result = 42;
  sem_post(&finished);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  sem_init(&finished, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attributes, work, NULL);
  pthread_attr_destroy(&attributes);
  sem_wait(&finished);
  return result == 42 ? 0 : 4;
}
