// SPDX-License-Identifier: Apache-2.0
// A time-out of hours does not pass while a thread that spins or yields could still see what it
// waits for, and passes when nobody can.
// SCHEDULES: 50
// UNCONTROLLED: skip
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int go, done, ready;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static struct timespec in_hours(int hours) {
  struct timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += 3600 * hours;
  return when;
}

static void* yield_until_go(void* unused) {
  while (!atomic_load(&go)) sched_yield();
  return unused;
}

static void* wait_for_signal(void* unused) {
  struct timespec when = in_hours(1);
  pthread_mutex_lock(&guard);
  int result = 0;
  while (!atomic_load(&ready) && result == 0)
    result = pthread_cond_timedwait(&changed, &guard, &when);
  assert(result == 0);
  pthread_mutex_unlock(&guard);
  atomic_store(&done, 1);
  return unused;
}

int main(void) {
  pthread_t spinner, waiter;
  pthread_create(&spinner, NULL, yield_until_go, NULL);
  for (int i = 0; i < 3; ++i) sched_yield();
  atomic_store(&go, 1);
  struct timespec when = in_hours(1);
  assert(pthread_timedjoin_np(spinner, NULL, &when) == 0);

  pthread_create(&waiter, NULL, wait_for_signal, NULL);
  while (!atomic_load(&done)) {  // polls, and tells again and again
    pthread_mutex_lock(&guard);
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&guard);
    sched_yield();
  }
  pthread_join(waiter, NULL);

  // Nobody signals: only time can end this, also for those who ask for it all the time.
  pthread_mutex_lock(&guard);
  when = in_hours(1);
  assert(pthread_cond_timedwait(&changed, &guard, &when) == ETIMEDOUT);
  pthread_mutex_unlock(&guard);
  time_t begin = time(NULL);
  while (time(NULL) - begin < 20) sched_yield();
  return 0;
}
