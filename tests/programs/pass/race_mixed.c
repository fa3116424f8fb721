// SPDX-License-Identifier: Apache-2.0
// Fixed: all accesses are atomic.
// SCHEDULES: 500
#include <pthread.h>

static int hits = 0;

static void* hit(void* unused) {
  __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
  return unused;
}

static void* look(void* unused) {
  int seen = __atomic_load_n(&hits, __ATOMIC_RELAXED);
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
