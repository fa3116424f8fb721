// SPDX-License-Identifier: Apache-2.0
// A thread polls a flag a hundred thousand times at most and then sleeps; a long count without any
// shared data is no step at all.
// SCHEDULES: 5
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;
static sem_t posted;
static int polls;
static long local;

static void* wait_for_it(void* unused) {
  while (polls < 100000 && atomic_load_explicit(&ready, memory_order_acquire) == 0) ++polls;
  assert(sem_wait(&posted) == 0);
  assert(ready == 1);
  return unused;
}

static void* count(void* unused) {
  volatile long own = 0;
  for (int i = 0; i < 100000; ++i) own = own + i;
  local = own;
  return unused;
}

int main(void) {
  assert(sem_init(&posted, 0, 0) == 0);
  pthread_t waiter;
  pthread_t counter;
  assert(pthread_create(&waiter, NULL, wait_for_it, NULL) == 0);
  assert(pthread_create(&counter, NULL, count, NULL) == 0);
  assert(pthread_join(counter, NULL) == 0);
  ready = 1;
  assert(sem_post(&posted) == 0);
  assert(pthread_join(waiter, NULL) == 0);
  assert(local == 4999950000L && polls <= 100000);
  return 0;
}
