// SPDX-License-Identifier: Apache-2.0
// Fixed: the reader takes only the inner lock, so nothing is held while it waits.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void* write_value(void* unused) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  value = 42;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return unused;
}

static void* read_value(void* unused) {
  pthread_mutex_lock(&inner);
  while (value == 0) pthread_cond_wait(&changed, &inner);
  pthread_mutex_unlock(&inner);
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_t reader;
  pthread_create(&writer, NULL, write_value, NULL);
  pthread_create(&reader, NULL, read_value, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
