// SPDX-License-Identifier: Apache-2.0
//
// MySQL's binary log: it is closed and opened again when it is rotated, and whoever writes in
// between finds it closed. Every access is below the lock.
// EXPECT: "case 5" `is_open`
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open = true;
static int entries;

static void rotate() {
  {
    Guard guard(lock);
    is_open = false;
  }
  Guard guard(lock);
  is_open = true;
}

static void insert() {
  Guard guard(lock);
  if (is_open) ++entries;
}

int main() {
  run_together(rotate, insert);
  assert(entries == 1);
}
