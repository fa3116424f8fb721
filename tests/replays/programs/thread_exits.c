// SPDX-License-Identifier: Apache-2.0
//
// A thread ends the whole process if it comes first, while the other threads go on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turn;

static void* leave(void* unused) {
  if (atomic_fetch_add(&turn, 1) == 0) exit(4);
  return unused;
}

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&turn, 2);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, leave, NULL);
  pthread_create(&threads[1], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
