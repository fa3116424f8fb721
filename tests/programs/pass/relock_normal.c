// SPDX-License-Identifier: Apache-2.0
// Fixed: the mutex is of the recursive type.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard;
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
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&guard, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add_two, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&guard);
  return total == 4 ? 0 : 1;
}
