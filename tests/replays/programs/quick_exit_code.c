// SPDX-License-Identifier: Apache-2.0
//
// The program ends quickly, with what a thread has come to by then.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count;

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  quick_exit(atomic_load(&count) == 2 ? 5 : 0);
}
