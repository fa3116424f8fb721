// SPDX-License-Identifier: Apache-2.0
// Bug: a pointer to a local variable outlives the thread.
// EXPECT: kind=use-after-free within=100 message~"stack of T1, which has ended"
#include <pthread.h>

static volatile int* place;

static void* compute(void* unused) {
  volatile int result = 7;
  place = &result;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, compute, 0);
  pthread_join(thread, 0);
  return *place != 7;
}
