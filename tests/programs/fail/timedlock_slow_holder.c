// SPDX-License-Identifier: Apache-2.0
// Bug: a timed lock is taken for granted, since whoever holds the lock gives it back at once; on a
// busy machine the time-out comes first.
// TEST: --timers any
// EXPECT: kind=exit-code within=100 message~"3"
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int missed;

static void* count(void* unused) {
  pthread_mutex_lock(&lock);
  ++counter;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  if (pthread_mutex_timedlock(&lock, &deadline) == 0) {
    ++counter;
    pthread_mutex_unlock(&lock);
  } else {
    missed = 3;
  }
  pthread_join(thread, NULL);
  return missed;
}
