// SPDX-License-Identifier: Apache-2.0
//
// Streams on both ends of a pipe: a thread that waits in fgets does not stop the one that prints,
// and two threads that read from one stream take turns.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE* in;
static FILE* out;
static int sums[2];

static void* add_lines(void* argument) {
  int* sum = argument;
  char line[32];
  while (fgets(line, sizeof line, in) != NULL) *sum += atoi(line);
  return NULL;
}

int main(void) {
  pthread_t readers[2];
  int ends[2];
  assert(pipe(ends) == 0);
  in = fdopen(ends[0], "r");
  out = fdopen(ends[1], "w");
  for (int i = 0; i < 2; ++i) pthread_create(&readers[i], NULL, add_lines, &sums[i]);
  for (int number = 1; number <= 4; ++number) {
    fprintf(out, "%d", number);
    fflush(out);
    fputs("\n", out);
    fflush(out);
  }
  fclose(out);
  for (int i = 0; i < 2; ++i) pthread_join(readers[i], NULL);
  fclose(in);
  assert(sums[0] + sums[1] == 10);
  return 0;
}
