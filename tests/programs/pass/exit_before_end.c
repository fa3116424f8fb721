// SPDX-License-Identifier: Apache-2.0
// Fixed: main waits for the thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int begun, done;

static void check(void) { assert(begun == done); }

static void* work(void* unused) {
  atomic_fetch_add(&begun, 1);
  atomic_fetch_add(&done, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(check);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
