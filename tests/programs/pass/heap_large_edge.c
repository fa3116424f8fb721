// SPDX-License-Identifier: Apache-2.0
// Fixed: the last stripe ends where the block ends.
// SCHEDULES: 100
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 300000, STRIPES = 2, STRIPE = SIZE / STRIPES + 24, STEP = 16 };

static char* picture;

static void* stripe(void* number) {
  char* begin = picture + (long)number * STRIPE;
  for (char* at = begin; at < begin + STRIPE && at < picture + SIZE; at += STEP) *at = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[STRIPES];
  picture = malloc(SIZE);
  for (long i = 0; i < STRIPES; ++i) pthread_create(&threads[i], NULL, stripe, (void*)i);
  for (int i = 0; i < STRIPES; ++i) pthread_join(threads[i], NULL);
  free(picture);
  return 0;
}
