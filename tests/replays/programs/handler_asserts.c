// SPDX-License-Identifier: Apache-2.0
//
// What runs at exit expects a thread to be through with its work, and nobody has waited for it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int begun, done;

static void check(void) { assert(atomic_load(&begun) == atomic_load(&done)); }

static void* work(void* unused) {
  atomic_fetch_add(&begun, 1);
  atomic_fetch_add(&done, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(check);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  atomic_load(&begun);
  return 0;
}
