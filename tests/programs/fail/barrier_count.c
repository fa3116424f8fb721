// SPDX-License-Identifier: Apache-2.0
// Bug: the barrier counts main, which never arrives; this fails in every schedule.
// EXPECT: kind=deadlock within=1 stack=meet
#include <pthread.h>
#include <stddef.h>

enum { kWorkers = 2 };

static pthread_barrier_t meeting;

static void* meet(void* unused) {
  pthread_barrier_wait(&meeting);
  return unused;
}

int main(void) {
  pthread_t threads[kWorkers];
  pthread_barrier_init(&meeting, NULL, kWorkers + 1);
  for (int i = 0; i < kWorkers; ++i) pthread_create(&threads[i], NULL, meet, NULL);
  for (int i = 0; i < kWorkers; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&meeting);
  return 0;
}
