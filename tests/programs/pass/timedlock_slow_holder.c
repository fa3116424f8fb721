// SPDX-License-Identifier: Apache-2.0
// Fixed: after the time-out the thread waits for as long as it takes.
// TEST: --timers any
// SCHEDULES: 500
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

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
  if (pthread_mutex_timedlock(&lock, &deadline) != 0) pthread_mutex_lock(&lock);
  ++counter;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return counter == 2 ? 0 : 3;
}
