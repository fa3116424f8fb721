// SPDX-License-Identifier: Apache-2.0
//
// Two workers see by select that there is a job in the pipe and both read, without blocking.
// SCHEDULES: 500
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];
static atomic_int done;

static void* work(void* unused) {
  (void)unused;
  while (!atomic_load(&done)) {
    fd_set set;
    struct timeval second = {1, 0};
    char job;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    if (select(ends[0] + 1, &set, NULL, NULL, &second) == 1 && read(ends[0], &job, 1) == 1)
      atomic_store(&done, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  assert(pipe2(ends, O_NONBLOCK) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&workers[i], NULL, work, NULL);
  assert(write(ends[1], "j", 1) == 1);
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], NULL);
  return 0;
}
