// SPDX-License-Identifier: Apache-2.0
// A spinning barrier that reverses its sense, so it can be used again at once.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { kThreads = 3, kPhases = 3 };
static atomic_int missing = kThreads;
static atomic_bool sense;
static int cells[kThreads];

static void meet(bool* mine) {
  *mine = !*mine;
  if (atomic_fetch_sub_explicit(&missing, 1, memory_order_acq_rel) == 1) {
    atomic_store_explicit(&missing, kThreads, memory_order_relaxed);
    atomic_store_explicit(&sense, *mine, memory_order_release);
    return;
  }
  while (atomic_load_explicit(&sense, memory_order_acquire) != *mine) __builtin_ia32_pause();
}

static void* work(void* argument) {
  int* cell = argument;
  bool mine = false;
  for (int phase = 1; phase <= kPhases; ++phase) {
    *cell = phase;
    meet(&mine);
    for (int i = 0; i < kThreads; ++i) assert(cells[i] == phase);
    meet(&mine);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads - 1];
  for (int i = 0; i < kThreads - 1; ++i)
    assert(pthread_create(&threads[i], NULL, work, &cells[i + 1]) == 0);
  work(&cells[0]);
  for (int i = 0; i < kThreads - 1; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(missing == kThreads && !sense);
  return 0;
}
