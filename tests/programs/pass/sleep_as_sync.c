// SPDX-License-Identifier: Apache-2.0
// Fixed: main joins the worker; the sleep no longer matters.
// TEST: --timers any
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int finished;

static void* work(void* unused) {
  atomic_store(&finished, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  usleep(1000);
  pthread_join(thread, NULL);
  const int seen = atomic_load(&finished);
  return seen ? 0 : 1;
}
