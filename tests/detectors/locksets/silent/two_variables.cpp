// SPDX-License-Identifier: Apache-2.0
// Two variables side by side, a lock for each.
#include "detectors/threads.h"

struct {
  short left, right;
} pair;
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

void add() {
  {
    Guard hold(left);
    ++pair.left;
  }
  Guard hold(right);
  ++pair.right;
}

int main() { run_together(add, add); }
