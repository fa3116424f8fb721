// SPDX-License-Identifier: Apache-2.0
// Error-checking, robust, priority and process-shared mutexes.
// SCHEDULES: 500
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t checked, robust, inheriting, shared;
static int total;

static void make(pthread_mutex_t* mutex, int type, int robustness, int protocol, int sharing) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robustness);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  pthread_mutexattr_setpshared(&attributes, sharing);
  assert(pthread_mutex_init(mutex, &attributes) == 0);
}

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&inheriting);
  pthread_mutex_lock(&shared);
  ++total;
  pthread_mutex_unlock(&shared);
  pthread_mutex_unlock(&inheriting);
  assert(pthread_mutex_unlock(&checked) == EPERM);
  return NULL;
}

static void* die_holding(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&robust) == 0);
  return NULL;
}

static void check_robust(int repaired) {
  pthread_t thread;
  pthread_create(&thread, NULL, die_holding, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_trylock(&robust) == EOWNERDEAD);
  if (repaired) assert(pthread_mutex_consistent(&robust) == 0);
  assert(pthread_mutex_unlock(&robust) == 0);
  assert(pthread_mutex_lock(&robust) == (repaired ? 0 : ENOTRECOVERABLE));
  if (repaired) {
    assert(pthread_mutex_consistent(&robust) == EINVAL);
    pthread_mutex_unlock(&robust);
  }
}

int main(void) {
  make(&checked, PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_NONE, 0);
  make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE, 0);
  make(&inheriting, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_INHERIT, 0);
  make(&shared, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE, PTHREAD_PROCESS_SHARED);
  assert(pthread_mutex_lock(&checked) == 0 && pthread_mutex_lock(&checked) == EDEADLK);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(total == 2 && pthread_mutex_unlock(&checked) == 0);
  assert(pthread_mutex_unlock(&checked) == EPERM);
  check_robust(1);
  check_robust(0);
  return 0;
}
