// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag changes under the mutex, so the check and the wait are one unit for the setter.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* await_ready(void* unused) {
  pthread_mutex_lock(&guard);
  while (!ready) pthread_cond_wait(&changed, &guard);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* make_ready(void* unused) {
  pthread_mutex_lock(&guard);
  ready = 1;
  pthread_mutex_unlock(&guard);
  pthread_cond_signal(&changed);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_t setter;
  pthread_create(&waiter, NULL, await_ready, NULL);
  pthread_create(&setter, NULL, make_ready, NULL);
  pthread_join(waiter, NULL);
  pthread_join(setter, NULL);
  return 0;
}
