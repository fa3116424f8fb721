// SPDX-License-Identifier: Apache-2.0
// Fixed: the ring is cut: the last thread joins nobody and main joins the first.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { kThreads = 3 };

static pthread_t threads[kThreads];
static int numbers[kThreads];
static sem_t gate;
static sem_t done;

static void* join_next(void* argument) {
  const int number = *(const int*)argument;
  sem_wait(&gate);
  if (number + 1 < kThreads) pthread_join(threads[number + 1], NULL);
  sem_post(&done);
  return NULL;
}

int main(void) {
  sem_init(&gate, 0, 0);
  sem_init(&done, 0, 0);
  for (int i = 0; i < kThreads; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, join_next, &numbers[i]);
  }
  for (int i = 0; i < kThreads; ++i) sem_post(&gate);
  for (int i = 0; i < kThreads; ++i) sem_wait(&done);
  pthread_join(threads[0], NULL);
  return 0;
}
