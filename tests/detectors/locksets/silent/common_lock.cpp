// SPDX-License-Identifier: Apache-2.0
// Different locks beside a common one.
#include "detectors/threads.h"

pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER, left = PTHREAD_MUTEX_INITIALIZER,
                right = PTHREAD_MUTEX_INITIALIZER;
int total;

void add(pthread_mutex_t& other) {
  for (int i = 0; i < 2; ++i) {
    Guard first(common), second(other);
    ++total;
  }
}

void add_left() { add(left); }
void add_right() { add(right); }

int main() { run_together(add_left, add_right); }
