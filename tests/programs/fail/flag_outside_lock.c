// SPDX-License-Identifier: Apache-2.0
// Bug: the flag is set without the mutex, between the waiter's check and its wait.
// EXPECT: kind=deadlock within=200 stack=await_ready
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void* await_ready(void* unused) {
  pthread_mutex_lock(&guard);
  while (!atomic_load(&ready)) pthread_cond_wait(&changed, &guard);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* make_ready(void* unused) {
  atomic_store(&ready, 1);
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
