// SPDX-License-Identifier: Apache-2.0
//
// A counter below a spinlock of the program's own: what it protects stays together, the lock word
// itself is read and written by everybody.
// LEARNS
#include <sched.h>

#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<bool> held{false};
static int counter;

static void count() {
  for (int i = 0; i < 2; ++i) {
    while (held.exchange(true, std::memory_order_acquire)) sched_yield();
    int before = counter;
    counter = before + 1;
    held.store(false, std::memory_order_release);
  }
}

int main() {
  run_together(count, count);
  assert(counter == 4);
}
