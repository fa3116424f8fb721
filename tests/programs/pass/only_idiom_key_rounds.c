// SPDX-License-Identifier: Apache-2.0
// Destructors of keys that set their value again get another round; a destructor may lock, and use
// another key.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t buffer_key;
static pthread_key_t rounds_key;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int flushed;
static int rounds;

static void flush(void* value) {
  int* buffer = value;
  pthread_mutex_lock(&guard);
  flushed += *buffer;
  pthread_mutex_unlock(&guard);
  free(buffer);
}

static void again(void* value) {
  int* left = value;
  pthread_mutex_lock(&guard);
  ++rounds;
  pthread_mutex_unlock(&guard);
  if (--*left == 0) {
    free(left);
    return;
  }
  assert(pthread_setspecific(rounds_key, left) == 0);
  if (pthread_getspecific(buffer_key) == NULL) {
    int* buffer = malloc(sizeof *buffer);
    *buffer = 100;
    assert(pthread_setspecific(buffer_key, buffer) == 0);
  }
}

static void* work(void* unused) {
  int* buffer = malloc(sizeof *buffer);
  int* left = malloc(sizeof *left);
  *buffer = 1;
  *left = 2;
  assert(pthread_setspecific(buffer_key, buffer) == 0);
  assert(pthread_setspecific(rounds_key, left) == 0);
  pthread_exit(unused);
}

int main(void) {
  assert(pthread_key_create(&buffer_key, flush) == 0);
  assert(pthread_key_create(&rounds_key, again) == 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < 3; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(rounds == 6 && flushed == 303);
  assert(pthread_key_delete(buffer_key) == 0 && pthread_key_delete(rounds_key) == 0);
  return 0;
}
