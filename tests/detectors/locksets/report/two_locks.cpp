// SPDX-License-Identifier: Apache-2.0
// Each thread has a lock of its own.
// EXPECT: "`total`" "holding `left`" "holding `right`"
#include "detectors/threads.h"

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
int total;

void add(pthread_mutex_t& guard) {
  for (int i = 0; i < 2; ++i) {
    Guard hold(guard);
    ++total;
  }
}

void add_left() { add(left); }
void add_right() { add(right); }

int main() { run_together(add_left, add_right); }
