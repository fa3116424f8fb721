// SPDX-License-Identifier: Apache-2.0
// Fixed: only a permit that was got is given back.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t permits;
static atomic_int inside;

static void* enter(void* unused) {
  sem_wait(&permits);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  sem_post(&permits);
  return unused;
}

static void* peek(void* unused) {
  if (sem_trywait(&permits) == 0) {
    assert(atomic_load(&inside) == 0);
    sem_post(&permits);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  int left = 0;
  sem_init(&permits, 0, 1);
  pthread_create(&threads[0], NULL, enter, NULL);
  pthread_create(&threads[1], NULL, enter, NULL);
  pthread_create(&threads[2], NULL, peek, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  sem_getvalue(&permits, &left);
  return left == 1 ? 0 : 1;
}
