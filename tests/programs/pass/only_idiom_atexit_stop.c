// SPDX-License-Identifier: Apache-2.0
// Handlers of atexit run in reverse order: the later one stops and joins the worker, the earlier
// one looks at what it has left.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t worker;
static bool stop;
static int handled;
static int pending = 3;

static void* work(void* unused) {
  pthread_mutex_lock(&guard);
  while (!stop || pending > 0) {
    if (pending > 0) {
      --pending;
      ++handled;
    } else {
      pthread_cond_wait(&changed, &guard);
    }
  }
  pthread_mutex_unlock(&guard);
  return unused;
}

static void stop_worker(void) {
  pthread_mutex_lock(&guard);
  stop = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  assert(pthread_join(worker, NULL) == 0);
}

static void look(void) { assert(handled == 4 && pending == 0); }

int main(void) {
  assert(atexit(look) == 0);
  assert(pthread_create(&worker, NULL, work, NULL) == 0);
  assert(atexit(stop_worker) == 0);
  pthread_mutex_lock(&guard);
  ++pending;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  exit(0);
}
