// SPDX-License-Identifier: Apache-2.0
// Bug: the worker lends a variable of its stack, and the borrower looks at it once more after the
// worker has ended.
// EXPECT: kind=use-after-free within=50 message~"stack of T1"
// TEST: --points sync
// SCHEDULES: 500
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static _Atomic(int*) lent;
static atomic_int returned;
static volatile int seen;

static void* lend(void* unused) {
  int mine = 7;
  atomic_store(&lent, &mine);
  while (!atomic_load(&returned)) sched_yield();
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, lend, NULL);
  int* borrowed;
  while ((borrowed = atomic_load(&lent)) == NULL) sched_yield();
  atomic_store(&returned, 1);
  seen = *borrowed;
  pthread_join(worker, NULL);
  seen = *borrowed;
  return 0;
}
