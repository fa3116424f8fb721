// SPDX-License-Identifier: Apache-2.0
// Fixed: the thread is detached.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static int done;

static void* work(void* unused) {
  __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
  while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) == 0) {
  }
  return 0;
}
