// SPDX-License-Identifier: Apache-2.0
//
// A log whose length is checked and used below one lock.
// LEARNS
#include <cassert>

#include "detectors/threads.h"

constexpr int kSize = 6;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[16];
static int length;

static void log_line() {
  Guard guard(lock);
  if (length + 4 > kSize) length = 0;
  assert(length + 4 <= kSize);
  buffer[length] = 'x';
  length += 4;
}

int main() { run_together(log_line, log_line, log_line); }
