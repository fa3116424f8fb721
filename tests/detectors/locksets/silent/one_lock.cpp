// SPDX-License-Identifier: Apache-2.0
// One lock at every access.
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int hits;

void count() {
  for (int i = 0; i < 2; ++i) {
    Guard hold(guard);
    ++hits;
  }
}

int main() { run_together(count, count); }
