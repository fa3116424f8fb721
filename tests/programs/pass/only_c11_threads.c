// SPDX-License-Identifier: Apache-2.0
// A tour of C11 threads: results, condition variables, thread-specific values, call_once, timeouts.
#include <assert.h>
#include <threads.h>
#include <time.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static cnd_t ready;
static tss_t key;
static int initialised, is_ready, destroyed;

static void initialise(void) { ++initialised; }

static void destroy(void* value) {
  mtx_lock(&lock);
  destroyed += *(int*)value;
  mtx_unlock(&lock);
}

static int wait_for_it(void* number) {
  call_once(&once, initialise);
  tss_set(key, number);
  mtx_lock(&lock);
  while (!is_ready) cnd_wait(&ready, &lock);
  mtx_unlock(&lock);
  return *(int*)tss_get(key) * 10;
}

int main(void) {
  static int numbers[2] = {1, 2};
  thrd_t threads[2];
  mtx_init(&lock, mtx_timed);
  cnd_init(&ready);
  tss_create(&key, destroy);
  for (int i = 0; i < 2; ++i) thrd_create(&threads[i], wait_for_it, &numbers[i]);
  thrd_yield();
  mtx_lock(&lock);
  is_ready = 1;
  cnd_broadcast(&ready);
  mtx_unlock(&lock);
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    int result = 0;
    assert(thrd_join(threads[i], &result) == thrd_success);
    sum += result;
  }
  assert(sum == 30 && initialised == 1 && destroyed == 3);
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  mtx_lock(&lock);
  assert(cnd_timedwait(&ready, &lock, &deadline) == thrd_timedout);
  mtx_unlock(&lock);
  return 0;
}
