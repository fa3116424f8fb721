// SPDX-License-Identifier: Apache-2.0
//
// In some schedules a thread turns for ever without a point, after it has changed things.
// TEST: --run-timeout 200ms
// SCHEDULES: 5
#include <sys/stat.h>

#include "fresh.h"

namespace {

int changed;

void look() { FRESH(changed == 0 && umask(022) == 022); }

void leave(int order) {
  changed = 1;
  umask(0);
  unsigned long turns = 0;
  while (order == 12) asm volatile("incq %0" : "+r"(turns));
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
