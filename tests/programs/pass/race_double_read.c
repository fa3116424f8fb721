// SPDX-License-Identifier: Apache-2.0
// Fixed: it is looked at once, and atomically.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready = 1;

static void* look(void* unused) {
  int seen = ready;
  if (seen) assert(seen);
  return unused;
}

static void* change(void* unused) {
  ready = 0;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, look, NULL);
  pthread_create(&two, NULL, change, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
