// SPDX-License-Identifier: Apache-2.0
// Fixed: the borrower returns the variable when it needs it no more.
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
  seen = *borrowed;
  seen = *borrowed;
  atomic_store(&returned, 1);
  pthread_join(worker, NULL);
  return 0;
}
