// SPDX-License-Identifier: Apache-2.0
//
// Two threads print a line in two parts to one stream, which they lock for the whole line.
// SCHEDULES: 500
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static char text[64];
static int used;

static ssize_t collect(void* cookie, const char* data, size_t size) {
  (void)cookie;
  memcpy(text + used, data, size);
  used += (int)size;
  return (ssize_t)size;
}

static void* print_line(void* stream) {
  flockfile(stream);
  fputs("left ", stream);
  sched_yield();
  fputs("right\n", stream);
  funlockfile(stream);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  cookie_io_functions_t functions = {.write = collect};
  FILE* stream = fopencookie(NULL, "w", functions);
  setvbuf(stream, NULL, _IONBF, 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, print_line, stream);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  fclose(stream);
  assert(strcmp(text, "left right\nleft right\n") == 0);
  return 0;
}
