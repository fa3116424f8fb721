// SPDX-License-Identifier: Apache-2.0
//
// A read-write lock of the kind that prefers writers: while one waits, no other reader gets in, and
// both orders of a reader and a writer are possible.
// SCHEDULES: 50
// UNCONTROLLED: skip
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int value;

static void* write_it(void* unused) {
  pthread_rwlock_wrlock(&lock);
  ++value;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* give_up(void* unused) {
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  assert(pthread_rwlock_timedwrlock(&lock, &soon) == ETIMEDOUT);
  return unused;
}

static void* read_it(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(value == 0 || value == 1);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  struct timespec past = {0, 0};
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);  // nobody waits yet
  pthread_rwlock_unlock(&lock);
  pthread_create(&threads[0], NULL, give_up, NULL);
  pthread_join(threads[0], NULL);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);  // nobody waits any longer
  pthread_rwlock_unlock(&lock);
  pthread_create(&threads[0], NULL, write_it, NULL);
  sleep(1);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT);
  pthread_create(&threads[1], NULL, read_it, NULL);
  sleep(1);
  assert(value == 0);
  pthread_rwlock_unlock(&lock);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(value == 1 && pthread_rwlock_destroy(&lock) == 0);
}
