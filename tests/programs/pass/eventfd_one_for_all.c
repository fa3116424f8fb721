// SPDX-License-Identifier: Apache-2.0
//
// Each job adds one to an eventfd that counts down by one with every read (EFD_SEMAPHORE).
// SCHEDULES: 500
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
  event = eventfd(0, EFD_SEMAPHORE);
  pthread_create(&worker, NULL, work, NULL);
  for (int job = 0; job < 2; ++job) {
    uint64_t one = 1;
    assert(write(event, &one, sizeof one) == sizeof one);
  }
  pthread_join(worker, NULL);
  return 0;
}
