// SPDX-License-Identifier: Apache-2.0
//
// Phases between barriers: everybody writes, then everybody reads.
#include <cassert>

#include "detectors/threads.h"

static pthread_barrier_t barrier;
static int cells[2];

static void work(int mine) {
  for (int round = 1; round <= 2; ++round) {
    cells[mine] = round;
    pthread_barrier_wait(&barrier);
    assert(cells[0] == round && cells[1] == round);
    pthread_barrier_wait(&barrier);
  }
}

static void left() { work(0); }
static void right() { work(1); }

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  run_together(left, right);
}
