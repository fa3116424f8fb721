// SPDX-License-Identifier: Apache-2.0
// Fixed: the barrier counts the workers only; exactly one of them is told it came last.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { kWorkers = 2 };

static pthread_barrier_t meeting;
static atomic_int serial_threads;

static void* meet(void* unused) {
  for (int round = 0; round < 2; ++round) {
    if (pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD) {
      atomic_fetch_add(&serial_threads, 1);
    }
  }
  return unused;
}

int main(void) {
  pthread_t threads[kWorkers];
  pthread_barrier_init(&meeting, NULL, kWorkers);
  for (int i = 0; i < kWorkers; ++i) pthread_create(&threads[i], NULL, meet, NULL);
  for (int i = 0; i < kWorkers; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&meeting);
  return serial_threads == 2 ? 0 : 1;
}
