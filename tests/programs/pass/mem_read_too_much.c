// SPDX-License-Identifier: Apache-2.0
// Fixed: size and buffer are read under one lock.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];
static char* buffer;
static size_t size = 16;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* receive(void* unused) {
  pthread_mutex_lock(&guard);
  size_t room = size;
  assert(read(ends[0], buffer, room) > 0);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* shrink(void* unused) {
  pthread_mutex_lock(&guard);
  free(buffer);
  size = 4;
  buffer = malloc(size);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, two;
  assert(pipe(ends) == 0 && write(ends[1], "0123456789", 10) == 10);
  buffer = malloc(size);
  pthread_create(&one, NULL, receive, NULL);
  pthread_create(&two, NULL, shrink, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(buffer);
  return 0;
}
