// SPDX-License-Identifier: Apache-2.0
// Bug: a helper locks the normal mutex its caller already holds; this fails in every schedule.
// EXPECT: kind=deadlock within=1 stack=add_one
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add_one(void) {
  pthread_mutex_lock(&guard);
  total += 1;
  pthread_mutex_unlock(&guard);
}

static void* add_two(void* unused) {
  (void)unused;
  pthread_mutex_lock(&guard);
  add_one();
  add_one();
  pthread_mutex_unlock(&guard);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add_two, NULL);
  pthread_join(thread, NULL);
  return total == 2 ? 0 : 1;
}
