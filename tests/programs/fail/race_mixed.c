// SPDX-License-Identifier: Apache-2.0
// Bug: a counter is changed atomically but read plainly.
// EXPECT: kind=data-race within=100 message~"not atomic"
#include <pthread.h>

static int hits = 0;

static void* hit(void* unused) {
  __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
  return unused;
}

static void* look(void* unused) {
  int seen = hits;
  if (seen > 1) __builtin_trap();
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, hit, 0);
  pthread_create(&two, 0, look, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return hits != 1;
}
