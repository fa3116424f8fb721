// SPDX-License-Identifier: Apache-2.0
// Every thread works on a block of its own.
#include "detectors/threads.h"

int results[2];

void work(int who) {
  int* mine = new int(who);
  for (int i = 0; i < 3; ++i) ++*mine;
  results[who] = *mine;
  delete mine;
}

int main() {
  run_together([] { work(0); }, [] { work(1); });
  return results[0] + results[1] == 7 ? 0 : 1;
}
