// SPDX-License-Identifier: Apache-2.0
// Fixed: the waiter spins for state 1 or any later one (a bare spin, without a yield).
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state;

static void* await_one(void* unused) {
  while (atomic_load(&state) < 1) {
  }
  return unused;
}

static void* advance(void* unused) {
  atomic_store(&state, 1);
  sched_yield();
  atomic_store(&state, 2);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_t driver;
  pthread_create(&waiter, NULL, await_one, NULL);
  pthread_create(&driver, NULL, advance, NULL);
  pthread_join(waiter, NULL);
  pthread_join(driver, NULL);
  return 0;
}
