// SPDX-License-Identifier: Apache-2.0
// Cancelled while it waits for a condition, holds memory, and has switched cancellation off for a
// part that must not be torn: the handlers give back what it has, in reverse order.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int halves[2];
static int given_back;
static int order;

static void release(void* block) {
  assert(order++ % 2 == 1);
  free(block);
  ++given_back;
  pthread_mutex_unlock(&guard);
}

static void still_locked(void* unused) {
  (void)unused;
  assert(order++ % 2 == 0);  // the wait has taken the mutex again
}

static void* work(void* unused) {
  int old = 0;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
  pthread_mutex_lock(&guard);
  ++halves[0];
  pthread_mutex_unlock(&guard);
  pthread_testcancel();
  pthread_mutex_lock(&guard);
  ++halves[1];
  void* block = malloc(16);
  pthread_cleanup_push(release, block);
  pthread_cleanup_push(still_locked, NULL);
  assert(pthread_setcancelstate(old, NULL) == 0);
  while (1) pthread_cond_wait(&never, &guard);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < 2; ++i) assert(pthread_cancel(threads[i]) == 0);
  for (int i = 0; i < 2; ++i) {
    void* result = NULL;
    assert(pthread_join(threads[i], &result) == 0 && result == PTHREAD_CANCELED);
  }
  assert(pthread_mutex_trylock(&guard) == 0 && pthread_mutex_unlock(&guard) == 0);
  assert(halves[0] == 2 && halves[1] == 2 && given_back == 2);
  return 0;
}
