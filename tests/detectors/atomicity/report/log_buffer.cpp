// SPDX-License-Identifier: Apache-2.0
//
// Apache's log: whether a line fits is asked of a length that has grown when the line is copied.
// EXPECT: "case 2" `length`
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

constexpr int kSize = 6;
static char buffer[16];
static std::atomic<int> length{0};

static void log_line() {
  if (length.load() + 4 > kSize) length.store(0);  // flush
  int at = length.load();
  assert(at + 4 <= kSize);
  buffer[at] = 0;
  length.fetch_add(4);
}

static void log_first() { log_line(); }
static void log_second() { log_line(); }

int main() {
  run_together(log_first, log_second);
  assert(length.load() <= kSize);
}
