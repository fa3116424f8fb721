// SPDX-License-Identifier: Apache-2.0
// Fixed: one joins, the other asks whether it has.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static pthread_t worker;
static int taken;

static void* work(void* unused) { return unused; }

static void* reap(void* unused) {
  if (__atomic_exchange_n(&taken, 1, __ATOMIC_SEQ_CST) == 0) pthread_join(worker, 0);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&worker, 0, work, 0);
  pthread_create(&one, 0, reap, 0);
  pthread_create(&two, 0, reap, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
