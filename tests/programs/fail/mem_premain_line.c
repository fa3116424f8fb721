// SPDX-License-Identifier: Apache-2.0
// Bug: a line is read into a buffer that was allocated before main and is a byte too small for it.
// EXPECT: kind=heap-overflow within=20 message~"past its end"
// SCHEDULES: 500
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 10 };
static char* line;
static char text[] = "0123456789abc\n";

__attribute__((constructor)) static void prepare(void) { line = malloc(SIZE); }

static void* read_line(void* unused) {
  FILE* input = fmemopen(text, sizeof text - 1, "r");
  if (fgets(line, SIZE + 1, input) == NULL) abort();
  fclose(input);
  return unused;
}

int main(void) {
  pthread_t reader;
  pthread_create(&reader, NULL, read_line, NULL);
  pthread_join(reader, NULL);
  return 0;
}
