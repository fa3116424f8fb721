// SPDX-License-Identifier: Apache-2.0
// Fixed: the thread is joined first.
// SCHEDULES: 500
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
  pthread_join(thread, 0);
  pthread_mutex_destroy(&lock);
  return 0;
}
