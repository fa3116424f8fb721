// SPDX-License-Identifier: Apache-2.0
// The reader takes no lock.
// EXPECT: "`level`" "reads? it" "holding no lock"
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int level, seen;

void set() {
  for (int i = 1; i < 4; ++i) {
    Guard hold(guard);
    level = i;
  }
}

void look() {
  for (int i = 0; i < 3; ++i) seen += level;
}

int main() { run_together(set, look); }
