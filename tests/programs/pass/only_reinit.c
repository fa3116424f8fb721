// SPDX-License-Identifier: Apache-2.0
// The state of a lock belongs to the object, not to its address: one that is destroyed and made
// again, memory that is one object after another, and objects set by static initialisers.
// SCHEDULES: 200
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static union {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_barrier_t barrier;
  sem_t semaphore;
} place;
static int total;

static void* under_mutex(void* unused) {
  pthread_mutex_lock(&place.mutex);
  ++total;
  pthread_mutex_unlock(&place.mutex);
  return unused;
}

static void* under_rwlock(void* unused) {
  pthread_rwlock_wrlock(&place.rwlock);
  ++total;
  pthread_rwlock_unlock(&place.rwlock);
  return unused;
}

static void* at_barrier(void* unused) {
  pthread_barrier_wait(&place.barrier);
  return unused;
}

static void* with_semaphore(void* unused) {
  sem_wait(&place.semaphore);
  ++total;
  sem_post(&place.semaphore);
  return unused;
}

static void pair(void* (*job)(void*)) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, job, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

int main(void) {
  for (int round = 0; round < 2; ++round) {
    assert(pthread_mutex_init(&place.mutex, NULL) == 0);
    pair(under_mutex);
    assert(pthread_mutex_destroy(&place.mutex) == 0);
    place.rwlock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    pair(under_rwlock);
    assert(pthread_rwlock_destroy(&place.rwlock) == 0);
    assert(pthread_barrier_init(&place.barrier, NULL, 2) == 0);
    pair(at_barrier);
    assert(pthread_barrier_destroy(&place.barrier) == 0);
    assert(sem_init(&place.semaphore, 0, 1) == 0);
    pair(with_semaphore);
    assert(sem_destroy(&place.semaphore) == 0);
    place.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pair(under_mutex);
  }
  return total == 16 ? 0 : 1;
}
