// SPDX-License-Identifier: Apache-2.0
// Asynchronous cancellation: a thread ends wherever it is, also where it waits for a lock, and at
// once if it cancels itself. Its cleanup handlers run; while cancellation is disabled or deferred
// it goes on. SCHEDULES: 50
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int cleaned;

static void clean(void* count) { ++*(int*)count; }

static void* wait_for_lock(void* unused) {
  int old;
  pthread_cleanup_push(clean, &cleaned);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
  assert(old == PTHREAD_CANCEL_DEFERRED);
  sem_post(&ready);
  pthread_mutex_lock(&held);
  assert(!"the lock is never released");
  pthread_cleanup_pop(0);
  return unused;
}

static void* spin(void* flag) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  sem_post(&ready);
  while (!__atomic_load_n((int*)flag, __ATOMIC_SEQ_CST)) {
  }
  return 0;
}

static void* cancel_myself(void* returned) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  pthread_cancel(pthread_self());
  pthread_mutex_lock((pthread_mutex_t*)returned);  // disabled: it goes on
  pthread_mutex_unlock((pthread_mutex_t*)returned);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  int old = -1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);  // deferred: it goes on
  if (old == PTHREAD_CANCEL_ENABLE) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  return returned;
}

static void* result_of(pthread_t thread) {
  void* result = 0;
  assert(pthread_join(thread, &result) == 0);
  return result;
}

int main(void) {
  static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
  static int flag;
  pthread_t waiter, spinner, own;
  sem_init(&ready, 0, 0);
  pthread_mutex_lock(&held);
  pthread_create(&waiter, 0, wait_for_lock, 0);
  pthread_create(&spinner, 0, spin, &flag);
  pthread_create(&own, 0, cancel_myself, &other);
  sem_wait(&ready);
  sem_wait(&ready);
  assert(pthread_cancel(waiter) == 0);
  assert(pthread_cancel(spinner) == 0);
  assert(result_of(waiter) == PTHREAD_CANCELED);
  assert(result_of(spinner) == PTHREAD_CANCELED);
  assert(result_of(own) == PTHREAD_CANCELED);
  assert(cleaned == 1);
  pthread_mutex_unlock(&held);
  return 0;
}
