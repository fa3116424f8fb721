// SPDX-License-Identifier: Apache-2.0
// Fixed: one order for both locks; the timed lock never runs out of time.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int order[2][2] = {{0, 1}, {0, 1}};
static atomic_int timeouts;

static void* work(void* argument) {
  const int* mine = argument;
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 10;
  pthread_mutex_lock(&locks[mine[0]]);
  if (pthread_mutex_timedlock(&locks[mine[1]], &deadline) == ETIMEDOUT) {
    atomic_fetch_add(&timeouts, 1);
  } else {
    pthread_mutex_unlock(&locks[mine[1]]);
  }
  pthread_mutex_unlock(&locks[mine[0]]);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, order[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return timeouts == 0 ? 0 : 7;
}
