// SPDX-License-Identifier: Apache-2.0
//
// A log that is closed and opened again below one lock, and written below it.
// LEARNS
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool is_open = true;  // or the first of the two writes would be optimised away
static int entries;

static void rotate() {
  Guard guard(lock);
  is_open = false;
  is_open = true;
}

static void insert() {
  Guard guard(lock);
  if (is_open) ++entries;
}

int main() {
  run_together(rotate, insert, insert);
  assert(entries == 2);
}
