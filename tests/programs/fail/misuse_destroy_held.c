// SPDX-License-Identifier: Apache-2.0
// Bug: the mutex is destroyed while a thread holds it.
// EXPECT: kind=sync-misuse within=100 message~"destroys `lock`, which T1 holds"
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int inside;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  __atomic_store_n(&inside, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  if (__atomic_load_n(&inside, __ATOMIC_SEQ_CST) != 0) pthread_mutex_destroy(&lock);
  pthread_join(thread, 0);
  return 0;
}
