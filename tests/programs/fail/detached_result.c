// SPDX-License-Identifier: Apache-2.0
// Bug: main takes "started" of a detached thread for "finished" and reads no result.
// EXPECT: kind=exit-code within=100 message~"4"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t started;
static atomic_int result;

static void* work(void* unused) {
  sem_post(&started);
  atomic_store(&result, 42);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&started, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  sem_wait(&started);
  return atomic_load(&result) == 42 ? 0 : 4;
}
