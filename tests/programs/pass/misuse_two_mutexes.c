// SPDX-License-Identifier: Apache-2.0
// Fixed: both use the same mutex.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void wait_for_it(pthread_mutex_t* lock) {
  pthread_mutex_lock(lock);
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) == 0) pthread_cond_wait(&changed, lock);
  pthread_mutex_unlock(lock);
}

static void* first(void* unused) {
  wait_for_it(&a);
  return unused;
}

static void* second(void* unused) {
  wait_for_it(&a);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
