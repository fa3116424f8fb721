// SPDX-License-Identifier: Apache-2.0
// Bug: a reader that misses asks for the write lock while it still holds its read lock.
// EXPECT: kind=deadlock within=50 stack=look_up
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t guard = PTHREAD_RWLOCK_INITIALIZER;
static int entry;

static void* fill(void* unused) {
  pthread_rwlock_wrlock(&guard);
  entry = 42;
  pthread_rwlock_unlock(&guard);
  return unused;
}

static void* look_up(void* unused) {
  pthread_rwlock_rdlock(&guard);
  if (entry == 0) {
    pthread_rwlock_wrlock(&guard);
    entry = 42;
  }
  pthread_rwlock_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_t reader;
  pthread_create(&writer, NULL, fill, NULL);
  pthread_create(&reader, NULL, look_up, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return entry == 42 ? 0 : 1;
}
