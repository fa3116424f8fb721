// SPDX-License-Identifier: Apache-2.0
// Fixed: the mutex is destroyed when nobody needs it any more.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&lock, 0);
  pthread_create(&thread, 0, work, 0);

  pthread_join(thread, 0);
  pthread_mutex_destroy(&lock);
  return 0;
}
