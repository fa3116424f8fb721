// SPDX-License-Identifier: Apache-2.0
//
// Two threads see that there is no instance, and both make one.
// EXPECT: "case 6" `instance`
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static int storage[2];
static std::atomic<int*> instance{nullptr};
static std::atomic<int> made{0};

static void use() {
  if (instance.load() != nullptr) return;
  instance.store(&storage[made.fetch_add(1)]);
}

int main() {
  run_together(use, use);
  assert(made.load() == 1);
}
