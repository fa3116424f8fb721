// SPDX-License-Identifier: Apache-2.0
// Each object locks itself, but what they count is common to all.
// EXPECT: "`made`" "first\\.guard" "second\\.guard"
#include "detectors/threads.h"

int made;

struct Factory {
  pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
  void make() {
    for (int i = 0; i < 2; ++i) {
      Guard hold(guard);
      ++made;
    }
  }
};

Factory first, second;

void use_first() { first.make(); }
void use_second() { second.make(); }

int main() { run_together(use_first, use_second); }
