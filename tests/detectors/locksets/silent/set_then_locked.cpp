// SPDX-License-Identifier: Apache-2.0
// Initialisation without a lock, all that comes after it with one.
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int* total;

void add() {
  Guard hold(guard);
  *total += 1;
}

int main() {
  total = new int(0);
  *total = 10;
  run_together(add, add);
  delete total;
}
