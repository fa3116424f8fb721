// SPDX-License-Identifier: Apache-2.0
//
// MySQL's query numbers: two queries get the same one. The accesses race, too.
// EXPECT: "case 6" `next_id`
#include <cassert>

#include "detectors/threads.h"

static int next_id = 1;
static int first_id, second_id;

static int take() {
  int id = next_id;
  next_id = id + 1;
  return id;
}

static void first() { first_id = take(); }
static void second() { second_id = take(); }

int main() {
  run_together(first, second);
  assert(first_id != second_id);
}
