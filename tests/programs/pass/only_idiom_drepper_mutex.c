// SPDX-License-Identifier: Apache-2.0
// A mutex of three states on futexes, and a condition by a sequence number.
// SCHEDULES: 20
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;  // 0 free, 1 held, 2 held and somebody may wait
static atomic_int changes;
static int jobs;
static int closed;

static void wait_while(atomic_int* word, int value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(atomic_int* word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&state, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&state, 2);
  while (seen != 0) {
    wait_while(&state, 2);
    seen = atomic_exchange(&state, 2);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&state, 1) == 1) return;
  atomic_store(&state, 0);
  wake(&state, 1);
}

static void* work(void* argument) {
  int* done = argument;
  lock();
  while (jobs > 0 || !closed) {
    if (jobs > 0) {
      --jobs;
      ++*done;
      continue;
    }
    int seen = atomic_load(&changes);
    unlock();
    wait_while(&changes, seen);
    lock();
  }
  unlock();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int done[2] = {0, 0};
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, work, &done[i]) == 0);
  for (int i = 0; i < 3; ++i) {
    lock();
    ++jobs;
    closed = i == 2;
    atomic_fetch_add(&changes, 1);
    unlock();
    wake(&changes, INT_MAX);
  }
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(done[0] + done[1] == 3 && jobs == 0 && state == 0);
  return 0;
}
