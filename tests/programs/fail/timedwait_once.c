// SPDX-License-Identifier: Apache-2.0
// Bug: a timed wait is not repeated, and its time-out is taken for the event; fails always.
// EXPECT: kind=assertion within=1 message~"ready" function=await
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* prepare(void* unused) {
  usleep(50 * 1000);
  pthread_mutex_lock(&guard);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void await(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += 10 * 1000 * 1000;
  if (deadline.tv_nsec >= 1000 * 1000 * 1000) {
    deadline.tv_sec += 1;
    deadline.tv_nsec -= 1000 * 1000 * 1000;
  }
  pthread_mutex_lock(&guard);
  if (!ready) pthread_cond_timedwait(&changed, &guard, &deadline);
  assert(ready);
  pthread_mutex_unlock(&guard);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, prepare, NULL);
  await();
  pthread_join(thread, NULL);
  return 0;
}
