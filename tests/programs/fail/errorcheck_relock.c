// SPDX-License-Identifier: Apache-2.0
// Bug: a change seen late is applied under the error-checking lock that apply() takes again.
// EXPECT: kind=assertion within=50 message~"status == 0" function=apply
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int changed;
static int applied;

static void apply(void) {
  const int status = pthread_mutex_lock(&guard);
  assert(status == 0);
  applied += 1;
  pthread_mutex_unlock(&guard);
}

static void* watch(void* unused) {
  pthread_mutex_lock(&guard);
  if (changed) apply();
  pthread_mutex_unlock(&guard);
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
