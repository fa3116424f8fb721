// SPDX-License-Identifier: Apache-2.0
//
// Messages through a slot with condition variables.
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;
static int slot, sum;

static void send() {
  for (int i = 1; i <= 3; ++i) {
    Guard guard(lock);
    while (full) pthread_cond_wait(&changed, &lock);
    slot = i;
    full = true;
    pthread_cond_signal(&changed);
  }
}

static void receive() {
  for (int i = 1; i <= 3; ++i) {
    Guard guard(lock);
    while (!full) pthread_cond_wait(&changed, &lock);
    sum += slot;
    full = false;
    pthread_cond_signal(&changed);
  }
}

int main() {
  run_together(send, receive);
  assert(sum == 6);
}
