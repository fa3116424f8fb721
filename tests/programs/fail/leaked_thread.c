// SPDX-License-Identifier: Apache-2.0
// Bug: the program ends without having joined its thread.
// TEST: --fail-on leaked-thread
// EXPECT: kind=leaked-thread within=100 message~"T1 has ended and was neither joined nor detached"
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

  while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) == 0) {
  }
  return 0;
}
