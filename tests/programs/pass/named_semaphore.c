// SPDX-License-Identifier: Apache-2.0
// Both threads open the same semaphore.
// SCHEDULES: 500
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int shared;

static void* work(void* unused) {
  (void)unused;
  sem_t* gate = sem_open("/raddle-gate", O_CREAT, 0600, 1);
  if (gate == SEM_FAILED) return NULL;
  sem_wait(gate);
  const int value = shared;
  shared = value + 1;
  sem_post(gate);
  sem_close(gate);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  sem_unlink("/raddle-gate");
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(sem_unlink("/raddle-gate") == 0);
  assert(sem_open("/raddle-gate", 0) == SEM_FAILED && errno == ENOENT);
  return shared != 2;
}
