// SPDX-License-Identifier: Apache-2.0
// Every two of three threads have a lock in common, all three have none.
// EXPECT: "`sum`"
#include "detectors/threads.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                c = PTHREAD_MUTEX_INITIALIZER;
int sum;

void add(pthread_mutex_t& first, pthread_mutex_t& second) {
  for (int i = 0; i < 2; ++i) {
    Guard one(first), two(second);
    ++sum;
  }
}

int main() {
  run_together([] { add(a, b); }, [] { add(b, c); }, [] { add(a, c); });
}
