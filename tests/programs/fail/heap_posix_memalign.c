// SPDX-License-Identifier: Apache-2.0
// Bug: the last element lies behind the block.
// EXPECT: kind=heap-overflow within=100 message~"past its end"
#include <pthread.h>
#include <stdlib.h>

static double* sums;

static void* add(void* index) {
  sums[(long)index] = 1.5;
  return 0;
}

int main(void) {
  void* block = 0;
  if (posix_memalign(&block, 32, 2 * sizeof(double)) != 0) return 1;
  sums = block;
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, add, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  free(block);
  return 0;
}
