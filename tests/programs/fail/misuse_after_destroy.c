// SPDX-License-Identifier: Apache-2.0
// Bug: a thread locks a mutex that is destroyed already.
// EXPECT: kind=sync-misuse within=100 message~"after it was destroyed"
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
  pthread_mutex_destroy(&lock);
  pthread_join(thread, 0);

  return 0;
}
