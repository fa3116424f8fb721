// SPDX-License-Identifier: Apache-2.0
// A recursive lock, still held after the inner unlock.
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int depth;

void go(int levels) {
  Guard hold(guard);
  if (levels > 0) go(levels - 1);
  ++depth;
}

int main() {
  run_together([] { go(2); }, [] { go(1); });
}
