// SPDX-License-Identifier: Apache-2.0
// Fixed: as much of a line is read as there is room for.
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
  if (fgets(line, SIZE, input) == NULL) abort();
  fclose(input);
  return unused;
}

int main(void) {
  pthread_t reader;
  pthread_create(&reader, NULL, read_line, NULL);
  pthread_join(reader, NULL);
  return 0;
}
