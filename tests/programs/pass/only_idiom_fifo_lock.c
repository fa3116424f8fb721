// SPDX-License-Identifier: Apache-2.0
// A fair lock: every waiter has a condition of its own on its stack, and is handed the lock by
// name, so nobody overtakes and no wake-up is wasted.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct waiter {
  pthread_cond_t woken;
  bool has_it;
  struct waiter* next;
};
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct waiter* first;
static struct waiter** last = &first;
static bool held;
static int arrived;
static int served;
static int shared_count;

static void lock(void) {
  pthread_mutex_lock(&guard);
  int mine = arrived++;
  if (!held) {
    held = true;
  } else {
    struct waiter me = {PTHREAD_COND_INITIALIZER, false, NULL};
    *last = &me;
    last = &me.next;
    while (!me.has_it) pthread_cond_wait(&me.woken, &guard);
    pthread_cond_destroy(&me.woken);
  }
  assert(served++ == mine);
  pthread_mutex_unlock(&guard);
}

static void unlock(void) {
  pthread_mutex_lock(&guard);
  struct waiter* next = first;
  if (next == NULL) {
    held = false;
  } else {
    first = next->next;
    if (first == NULL) last = &first;
    next->has_it = true;
    pthread_cond_signal(&next->woken);
  }
  pthread_mutex_unlock(&guard);
}

static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) {
    lock();
    ++shared_count;
    unlock();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
  work(NULL);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(shared_count == 6 && served == 6 && !held);
  return 0;
}
