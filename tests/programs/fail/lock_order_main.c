// SPDX-License-Identifier: Apache-2.0
// Bug: main locks the two in the opposite order of its own thread.
// EXPECT: kind=deadlock within=1 message~"T0 waits for `ready_lock`" stack=main
#include <pthread.h>

static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, done;

static void* work(void* unused) {
  pthread_mutex_lock(&ready_lock);
  pthread_mutex_lock(&done_lock);
  done += ++ready;
  pthread_mutex_unlock(&done_lock);
  pthread_mutex_unlock(&ready_lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&done_lock);
  pthread_mutex_lock(&ready_lock);
  done += ++ready;
  pthread_mutex_unlock(&ready_lock);
  pthread_mutex_unlock(&done_lock);
  pthread_join(thread, 0);
  return ready == 2 && done == 3 ? 0 : 1;
}
