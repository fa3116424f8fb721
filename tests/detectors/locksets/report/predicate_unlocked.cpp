// SPDX-License-Identifier: Apache-2.0
// The condition is looked at a few times before the lock is taken.
// EXPECT: "`ready`" "holding no lock"
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
volatile bool ready;

void wait() {
  for (int i = 0; i < 3; ++i)
    if (ready) return;
  Guard hold(guard);
  while (!ready) pthread_cond_wait(&changed, &guard);
}

void go() {
  Guard hold(guard);
  ready = true;
  pthread_cond_signal(&changed);
}

int main() { run_together(wait, go); }
