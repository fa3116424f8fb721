// SPDX-License-Identifier: Apache-2.0
// A tour of POSIX calls that return at once or time out: try and timed locks, exit values.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static sem_t empty;

static struct timespec soon(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_nsec += 1000;
  if (now.tv_nsec >= 1000000000) {
    now.tv_sec += 1;
    now.tv_nsec -= 1000000000;
  }
  return now;
}

// Main holds the table for reading and both mutexes until this thread has been joined.
static void* refused(void* argument) {
  const struct timespec deadline = soon();
  assert(pthread_rwlock_trywrlock(&table) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&table) == 0);
  assert(pthread_rwlock_unlock(&table) == 0);
  assert(pthread_rwlock_timedwrlock(&table, &deadline) == ETIMEDOUT);
  assert(pthread_mutex_trylock(&guard) == EBUSY);
  assert(pthread_mutex_timedlock(&guard, &deadline) == ETIMEDOUT);
  assert(pthread_mutex_trylock(&recursive) == EBUSY);
  assert(sem_trywait(&empty) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&empty, &deadline) == -1 && errno == ETIMEDOUT);
  pthread_exit(argument);
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  int number = 42;
  sem_init(&empty, 0, 0);
  pthread_rwlock_rdlock(&table);
  pthread_mutex_lock(&guard);
  pthread_mutex_lock(&recursive);
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  pthread_create(&thread, NULL, refused, &number);
  pthread_join(thread, &result);
  assert(result == &number);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&guard);
  pthread_rwlock_unlock(&table);
  return 0;
}
