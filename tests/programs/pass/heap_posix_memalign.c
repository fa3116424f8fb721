// SPDX-License-Identifier: Apache-2.0
// Fixed: the block has room for it.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static double* sums;

static void* add(void* index) {
  sums[(long)index] = 1.5;
  return 0;
}

int main(void) {
  void* block = 0;
  if (posix_memalign(&block, 32, 3 * sizeof(double)) != 0) return 1;
  sums = block;
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, add, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  free(block);
  return 0;
}
