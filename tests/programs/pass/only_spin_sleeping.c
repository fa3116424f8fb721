// SPDX-License-Identifier: Apache-2.0
// A spin-wait, with and without a yield, for a flag that a sleeping thread will set.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int flag;

static void* wake_late(void* unused) {
  usleep(1000);
  atomic_store(&flag, 1);
  return unused;
}

static void* spin_politely(void* unused) {
  while (!atomic_load(&flag)) sched_yield();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, wake_late, NULL);
  pthread_create(&threads[1], NULL, spin_politely, NULL);
  while (!atomic_load(&flag)) {
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
