// SPDX-License-Identifier: Apache-2.0
// Whoever does not get the lock goes on all the same.
// EXPECT: "`next`" "holding no lock"
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int next;

void take() {
  for (int i = 0; i < 3; ++i) {
    bool mine = (pthread_mutex_trylock(&guard) == 0);
    ++next;
    if (mine) pthread_mutex_unlock(&guard);
  }
}

int main() { run_together(take, take); }
