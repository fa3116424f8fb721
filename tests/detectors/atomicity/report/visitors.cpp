// SPDX-License-Identifier: Apache-2.0
//
// A counter that loses visitors, and nothing in the program notices: no run fails. It was learned
// from runs of another configuration, in which a lock is held.
// LEARN: locked
// EXPECT: "case 6" `visitors`
// PASSES
#include <atomic>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool locked;
static std::atomic<int> visitors{0};

static void count() {
  if (locked) pthread_mutex_lock(&lock);
  int before = visitors.load();
  visitors.store(before + 1);
  if (locked) pthread_mutex_unlock(&lock);
}

int main(int argc, char**) {
  locked = argc > 1;
  run_together(count, count);
}
