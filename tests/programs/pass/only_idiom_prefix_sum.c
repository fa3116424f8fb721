// SPDX-License-Identifier: Apache-2.0
// A prefix sum in phases: one barrier used again and again, and its serial thread swaps the arrays.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { kThreads = 3 };
static pthread_barrier_t meet;
static int arrays[2][kThreads] = {{1, 2, 3}, {0}};
static int* from = arrays[0];
static int* to = arrays[1];
static int swaps;

static void* work(void* argument) {
  int me = (int)((int*)argument - arrays[0]);
  for (int distance = 1; distance < kThreads; distance *= 2) {
    to[me] = from[me] + (me >= distance ? from[me - distance] : 0);
    if (pthread_barrier_wait(&meet) == PTHREAD_BARRIER_SERIAL_THREAD) {
      int* old = from;
      from = to;
      to = old;
      ++swaps;
    }
    int result = pthread_barrier_wait(&meet);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  }
  return NULL;
}

int main(void) {
  assert(pthread_barrier_init(&meet, NULL, kThreads) == 0);
  pthread_t threads[kThreads - 1];
  for (int i = 0; i < kThreads - 1; ++i)
    assert(pthread_create(&threads[i], NULL, work, &arrays[0][i + 1]) == 0);
  work(&arrays[0][0]);
  for (int i = 0; i < kThreads - 1; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(pthread_barrier_destroy(&meet) == 0);
  assert(swaps == 2 && from[0] == 1 && from[1] == 3 && from[2] == 6);
  return 0;
}
