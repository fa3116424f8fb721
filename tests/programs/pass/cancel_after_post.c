// SPDX-License-Identifier: Apache-2.0
//
// Fixed: the result of the join tells whether the worker had got its job.
// TEST: --strategy dpor
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
  assert(taken == (result != PTHREAD_CANCELED));
}
