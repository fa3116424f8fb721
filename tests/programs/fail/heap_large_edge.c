// SPDX-License-Identifier: Apache-2.0
// Bug: the last stripe is written with the size of the others, past the end of a large block.
// EXPECT: kind=heap-overflow within=100 message~"300000 bytes" stack=stripe
// SCHEDULES: 100
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 300000, STRIPES = 2, STRIPE = SIZE / STRIPES + 24, STEP = 16 };

static char* picture;

static void* stripe(void* number) {
  char* begin = picture + (long)number * STRIPE;
  for (int i = 0; i < STRIPE; i += STEP) begin[i] = 1;
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
