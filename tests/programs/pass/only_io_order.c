// SPDX-License-Identifier: Apache-2.0
//
// What is written to a descriptor orders: plain data handed over by a pipe, an eventfd, a poll, a
// file lock and a stream's own lock is no race.
// SCHEDULES: 500
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

static int ends[2], event, by_pipe, by_event, locked, in_stream;
static char path[64];
static FILE* stream;

static ssize_t count(void* cookie, const char* data, size_t size) {
  (void)data;
  ++*(int*)cookie;
  return (ssize_t)size;
}

static void use_lock(void) {
  int file = open(path, O_RDWR);
  assert(flock(file, LOCK_EX) == 0);
  ++locked;
  close(file);
  fputs("x", stream);
}

static void* giver(void* unused) {
  uint64_t one = 1;
  by_pipe = 1;
  assert(write(ends[1], "x", 1) == 1);
  by_event = 2;
  assert(write(event, &one, sizeof one) == sizeof one);
  use_lock();
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  cookie_io_functions_t functions = {.write = count};
  assert(pipe(ends) == 0);
  event = eventfd(0, 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", memfd_create("locked", 0));
  stream = fopencookie(&in_stream, "w", functions);
  setvbuf(stream, NULL, _IONBF, 0);
  pthread_create(&thread, NULL, giver, NULL);
  assert(read(ends[0], &byte, 1) == 1 && by_pipe == 1);
  struct pollfd file = {event, POLLIN, 0};
  assert(poll(&file, 1, -1) == 1 && by_event == 2);
  use_lock();
  pthread_join(thread, NULL);
  assert(locked == 2 && in_stream == 2);
  fclose(stream);
  return 0;
}
