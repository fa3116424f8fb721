// SPDX-License-Identifier: Apache-2.0
// Bug: main sleeps and hopes that the worker has finished by then.
// TEST: --timers any
// EXPECT: kind=exit-code within=100 message~"1"
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
  usleep(100 * 1000);
  const int seen = atomic_load(&finished);
  pthread_join(thread, NULL);
  return seen ? 0 : 1;
}
