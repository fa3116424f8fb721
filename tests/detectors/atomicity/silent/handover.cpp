// SPDX-License-Identifier: Apache-2.0
//
// Two threads take turns on a number by semaphores: between two accesses of one the other always
// writes.
#include <semaphore.h>

#include <cassert>

#include "detectors/threads.h"

static sem_t ping, pong;
static int number;

static void first() {
  for (int i = 0; i < 3; ++i) {
    sem_wait(&ping);
    assert(number % 2 == 0);
    ++number;
    sem_post(&pong);
  }
}

static void second() {
  for (int i = 0; i < 3; ++i) {
    sem_wait(&pong);
    assert(number % 2 == 1);
    ++number;
    sem_post(&ping);
  }
}

int main() {
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  run_together(first, second);
  assert(number == 6);
}
