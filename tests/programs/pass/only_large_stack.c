// SPDX-License-Identifier: Apache-2.0
// Detached threads with stacks larger than usual, one after the other at the same addresses: what
// an earlier one left on its stack is not shared with a later one, although nothing orders the two.
// SCHEDULES: 300
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t begun;
static atomic_int ended;

static int fill(volatile int* numbers, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) numbers[i] = i;
  for (int i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}

static void* work(void* unused) {
  (void)unused;
  volatile int numbers[16];
  sem_post(&begun);
  assert(fill(numbers, 16) == 120);
  atomic_fetch_add_explicit(&ended, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, 16 << 20);
  pthread_attr_setdetachstate(&large, PTHREAD_CREATE_DETACHED);
  sem_init(&begun, 0, 0);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    int error = pthread_create(&thread, &large, work, NULL);
    assert(error == 0);
    sem_wait(&begun);
  }
  while (atomic_load_explicit(&ended, memory_order_relaxed) < 3) sched_yield();
}
