// SPDX-License-Identifier: Apache-2.0
// One of two writers forgets the lock.
// EXPECT: "`total`" "holding `guard`" "holding no lock"
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int total;

void careful() {
  for (int i = 0; i < 3; ++i) {
    Guard hold(guard);
    total += 2;
  }
}

void careless() { total += 3; }

int main() { run_together(careful, careless); }
