// SPDX-License-Identifier: Apache-2.0
// Bug: a permit is given back even when none was got, so two threads enter at once.
// EXPECT: kind=assertion within=500 message~"inside" function=enter
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
  (void)!sem_trywait(&permits);
  sem_post(&permits);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&permits, 0, 1);
  pthread_create(&threads[0], NULL, enter, NULL);
  pthread_create(&threads[1], NULL, enter, NULL);
  pthread_create(&threads[2], NULL, peek, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
