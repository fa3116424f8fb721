// SPDX-License-Identifier: Apache-2.0
// The process ends well in many ways: beside threads that wait, sleep, spin or go on for ever, from
// handlers that call exit again, and from two threads at once.
// SCHEDULES: 60
// UNCONTROLLED: skip
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static atomic_int flag, turns, handled;

static void* wait_for_ever(void* unused) {
  pthread_mutex_lock(&mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
  return unused;
}

static void* sleep_often(void* unused) {
  for (;;) usleep(1000);
  return unused;
}

static void* spin(void* unused) {
  while (atomic_load(&flag) == 0) sched_yield();
  return unused;
}

static void* leave(void* unused) {
  if (atomic_fetch_add(&turns, 1) < 0) return unused;
  exit(0);
}

static void again(void) {
  atomic_fetch_add(&handled, 1);
  exit(0);
}

static void start(void* (*body)(void*)) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_detach(thread);
}

int main(void) {
  atexit(again);
  start(wait_for_ever);
  start(sleep_often);
  start(spin);
  start(leave);
  return 0;
}
