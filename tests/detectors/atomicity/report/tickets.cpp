// SPDX-License-Identifier: Apache-2.0
//
// The last ticket is sold twice: whether there is one is asked below the lock, and so is taking it,
// but not both at once.
// EXPECT: "case [26]" `tickets`
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tickets = 1;

static bool available() {
  Guard guard(lock);
  return tickets > 0;
}

static void take() {
  Guard guard(lock);
  --tickets;
}

static void buy() {
  if (available()) take();
}

int main() {
  run_together(buy, buy);
  assert(tickets >= 0);
}
