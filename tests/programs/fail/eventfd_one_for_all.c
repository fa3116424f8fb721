// SPDX-License-Identifier: Apache-2.0
//
// Each job adds one to an eventfd, and a worker takes one job each time it can read it. But a read
// takes the whole count: two jobs added in a row wake the worker once.
// EXPECT: kind=deadlock within=100 message~"input from eventfd #1"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void* work(void* unused) {
  (void)unused;
  for (int job = 0; job < 2; ++job) {
    uint64_t count;
    assert(read(event, &count, sizeof count) == sizeof count);
  }
  return NULL;
}

int main(void) {
  pthread_t worker;
  event = eventfd(0, 0);
  pthread_create(&worker, NULL, work, NULL);
  for (int job = 0; job < 2; ++job) {
    uint64_t one = 1;
    assert(write(event, &one, sizeof one) == sizeof one);
  }
  pthread_join(worker, NULL);
  return 0;
}
