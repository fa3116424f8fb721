// SPDX-License-Identifier: Apache-2.0
// Fixed: the lock is dropped before apply() takes it; relocking and foreign unlocks are refused.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int changed;
static int applied;

static void apply(void) {
  const int status = pthread_mutex_lock(&guard);
  assert(status == 0);
  const int again = pthread_mutex_lock(&guard);
  assert(again == EDEADLK);
  applied += 1;
  pthread_mutex_unlock(&guard);
}

static void* watch(void* unused) {
  pthread_mutex_lock(&guard);
  const int seen = changed;
  pthread_mutex_unlock(&guard);
  if (seen) apply();
  return unused;
}

static void* change(void* unused) {
  pthread_mutex_lock(&guard);
  changed = 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t watcher;
  pthread_t changer;
  pthread_create(&watcher, NULL, watch, NULL);
  pthread_create(&changer, NULL, change, NULL);
  pthread_join(watcher, NULL);
  pthread_join(changer, NULL);
  return applied <= 1 ? 0 : 1;
}
