// SPDX-License-Identifier: Apache-2.0
// Fixed: the block itself is freed.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static char* text;

static void* trim(void* unused) {
  while (*text == ' ') ++text;
  return unused;
}

int main(void) {
  char* block = malloc(16);
  for (int i = 0; i < 15; ++i) block[i] = i < 3 ? ' ' : 'x';
  block[15] = 0;
  text = block;
  pthread_t thread;
  pthread_create(&thread, 0, trim, 0);
  pthread_join(thread, 0);
  free(block);
  return 0;
}
