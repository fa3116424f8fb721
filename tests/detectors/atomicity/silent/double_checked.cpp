// SPDX-License-Identifier: Apache-2.0
//
// Double-checked locking done right: the second look below the lock may see another value than the
// first one.
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int storage;
static int made;
static std::atomic<int*> instance{nullptr};

static int* get() {
  int* known = instance.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  Guard guard(lock);
  known = instance.load(std::memory_order_relaxed);
  if (known != nullptr) return known;
  storage = 7;
  ++made;
  instance.store(&storage, std::memory_order_release);
  return &storage;
}

static void use() { assert(*get() == 7); }

int main() {
  run_together(use, use, use);
  assert(made == 1);
}
