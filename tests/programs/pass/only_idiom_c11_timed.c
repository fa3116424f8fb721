// SPDX-License-Identifier: Apache-2.0
// C11: mtx_timedlock and cnd_timedwait with deadlines that may pass, tss destructors, call_once.
// SCHEDULES: 20
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t scratch;
static mtx_t guard;
static cnd_t changed;
static int made;
static int freed;
static int jobs;

static void drop(void* block) {
  free(block);
  mtx_lock(&guard);
  ++freed;
  cnd_broadcast(&changed);
  mtx_unlock(&guard);
}

static void prepare(void) {
  assert(tss_create(&scratch, drop) == thrd_success);
  assert(mtx_init(&guard, mtx_timed) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  ++made;
}

static struct timespec in_milliseconds(long count) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  now.tv_nsec += count * 1000000;
  now.tv_sec += now.tv_nsec / 1000000000;
  now.tv_nsec %= 1000000000;
  return now;
}

static int work(void* unused) {
  (void)unused;
  call_once(&once, prepare);
  assert(tss_set(scratch, malloc(8)) == thrd_success);
  struct timespec soon = in_milliseconds(2);
  while (mtx_timedlock(&guard, &soon) == thrd_timedout) soon = in_milliseconds(2);
  while (jobs == 0) {
    soon = in_milliseconds(1);
    int result = cnd_timedwait(&changed, &guard, &soon);
    assert(result == thrd_success || result == thrd_timedout);
  }
  --jobs;
  mtx_unlock(&guard);
  return 3;
}

int main(void) {
  call_once(&once, prepare);
  thrd_t threads[2];
  for (int i = 0; i < 2; ++i) assert(thrd_create(&threads[i], work, NULL) == thrd_success);
  for (int i = 0; i < 2; ++i) {
    mtx_lock(&guard);
    ++jobs;
    cnd_signal(&changed);
    mtx_unlock(&guard);
    thrd_sleep(&(struct timespec){.tv_nsec = 1500000}, NULL);
  }
  int result = 0;
  for (int i = 0; i < 2; ++i) assert(thrd_join(threads[i], &result) == thrd_success && result == 3);
  assert(made == 1 && freed == 2 && jobs == 0);
  return 0;
}
