// SPDX-License-Identifier: Apache-2.0
//
// The worker tells that it has begun, and is taken for done then; but it may be cancelled where it
// writes to a file, which nothing but the cancellation makes a step.
// TEST: --strategy dpor
// EXPECT: kind=assertion within=20 function=main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static sem_t begun;
static int file, done;

static void* work(void* unused) {
  sem_post(&begun);
  if (pwrite(file, "x", 1, 0) == 1) done = 1;
  return unused;
}

int main(void) {
  pthread_t worker;
  file = memfd_create("file", 0);
  sem_init(&begun, 0, 0);
  pthread_create(&worker, NULL, work, NULL);
  sem_wait(&begun);
  pthread_cancel(worker);
  pthread_join(worker, NULL);
  assert(done == 1);
}
