// SPDX-License-Identifier: Apache-2.0
// A queue with a condition variable: waiting gives the lock back and takes it again.
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items;

void put() {
  for (int i = 0; i < 2; ++i) {
    Guard hold(guard);
    ++items;
    pthread_cond_signal(&changed);
  }
}

void take() {
  for (int i = 0; i < 2; ++i) {
    Guard hold(guard);
    while (items == 0) pthread_cond_wait(&changed, &guard);
    --items;
  }
}

int main() { run_together(put, take); }
