// SPDX-License-Identifier: Apache-2.0
// Two threads, the second created when the first is gone.
#include "detectors/threads.h"

int steps;

void step() { ++steps; }

int main() {
  run_together(step, nullptr);
  run_together(step, nullptr);
  return steps == 2 ? 0 : 1;
}
