// SPDX-License-Identifier: Apache-2.0
//
// A stream's own write function takes a mutex while the stream is locked; the other thread lets go
// of the mutex before it uses the stream.
// SCHEDULES: 500
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE* journal;
static long written;

static ssize_t append(void* cookie, const char* data, size_t size) {
  (void)cookie;
  (void)data;
  pthread_mutex_lock(&mutex);
  written += (long)size;
  pthread_mutex_unlock(&mutex);
  return (ssize_t)size;
}

static void* report(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  long so_far = written;
  pthread_mutex_unlock(&mutex);
  fflush(journal);
  assert(so_far >= 0);
  return NULL;
}

int main(void) {
  pthread_t reporter;
  cookie_io_functions_t functions = {.write = append};
  journal = fopencookie(NULL, "w", functions);
  pthread_create(&reporter, NULL, report, NULL);
  fputs("hello\n", journal);
  fflush(journal);
  pthread_join(reporter, NULL);
  fclose(journal);
  return 0;
}
