// SPDX-License-Identifier: Apache-2.0
// Workers lock; main looks at the result when all are gone.
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int sum;

void add() {
  Guard hold(guard);
  ++sum;
}

int main() {
  run_together(add, add);
  sum += 40;
  return sum == 42 ? 0 : 1;
}
