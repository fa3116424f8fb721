// SPDX-License-Identifier: Apache-2.0
//
// A worker is taken for cancelled that may have got its job before. The first run cancels it: a
// search has to see that the worker's end depends on when it was cancelled.
// TEST: --strategy dpor
// EXPECT: kind=assertion within=10 function=main
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t jobs;
static int taken;

static void* work(void* unused) {
  sem_wait(&jobs);
  taken = 1;
  return unused;
}

int main(void) {
  pthread_t worker;
  void* result;
  sem_init(&jobs, 0, 0);
  pthread_create(&worker, NULL, work, NULL);
  sem_post(&jobs);
  pthread_cancel(worker);
  pthread_join(worker, &result);
  assert(taken == 0);
}
