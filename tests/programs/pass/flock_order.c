// SPDX-License-Identifier: Apache-2.0
//
// Two threads lock two files in the same order.
// SCHEDULES: 500
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

static char paths[2][64];

static void with_both(int first, int second) {
  int one = open(paths[first], O_RDWR);
  int two = open(paths[second], O_RDWR);
  assert(one >= 0 && two >= 0);
  assert(flock(one, LOCK_EX) == 0);
  assert(flock(two, LOCK_EX) == 0);
  assert(flock(two, LOCK_UN) == 0);
  close(one);
  close(two);
}

static void* backwards(void* unused) {
  (void)unused;
  with_both(0, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 2; ++i)
    snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", memfd_create("locked", 0));
  pthread_create(&thread, NULL, backwards, NULL);
  with_both(0, 1);
  pthread_join(thread, NULL);
  return 0;
}
