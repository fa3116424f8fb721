// SPDX-License-Identifier: Apache-2.0
// Bug: a thread is detached although somebody joins it.
// EXPECT: kind=sync-misuse within=100 message~"which is detached"
#include <pthread.h>
#include <stdlib.h>

static void* work(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
  pthread_join(thread, 0);
  return 0;
}
