// SPDX-License-Identifier: Apache-2.0
// Set before the threads are there, then only read.
#include "detectors/threads.h"

int limit, seen[2];

void look(int who) { seen[who] = limit; }

int main() {
  limit = 5;
  run_together([] { look(0); }, [] { look(1); });
}
