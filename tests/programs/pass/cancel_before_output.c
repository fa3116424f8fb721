// SPDX-License-Identifier: Apache-2.0
//
// Fixed: whether the worker is done, the result of the join tells.
// TEST: --strategy dpor
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
  void* result;
  file = memfd_create("file", 0);
  sem_init(&begun, 0, 0);
  pthread_create(&worker, NULL, work, NULL);
  sem_wait(&begun);
  pthread_cancel(worker);
  pthread_join(worker, &result);
  assert(done == (result != PTHREAD_CANCELED));
}
