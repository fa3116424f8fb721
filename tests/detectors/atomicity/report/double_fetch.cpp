// SPDX-License-Identifier: Apache-2.0
//
// A length that is checked, and then read again.
// EXPECT: "case 2" `length`
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<int> length{4};

static void receive() {
  if (length.load() > 8) return;
  int copied = length.load();
  assert(copied <= 8);
}

static void rewrite() { length.store(40); }

int main() { run_together(receive, rewrite); }
