// SPDX-License-Identifier: Apache-2.0
// A false alarm: a semaphore hands the box over, so nothing races, but locks are all that counts.
// EXPECT: "`box`" "holding no lock" "has seen no race there"
#include <semaphore.h>

#include "detectors/threads.h"

sem_t full;
int box;

void fill() {
  box = 7;
  sem_post(&full);
}

void empty() {
  sem_wait(&full);
  box = 0;
}

int main() {
  sem_init(&full, 0, 0);
  run_together(fill, empty);
}
