// SPDX-License-Identifier: Apache-2.0
//
// A log that is closed and opened again below one lock, and written below it.
// LEARNS
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open = true;
static int entries;

static void rotate() {
  Guard guard(lock);
  is_open = false;
  entries += 0;
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
