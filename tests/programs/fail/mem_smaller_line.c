// SPDX-License-Identifier: Apache-2.0
// Bug: the size that snprintf is given is that of an earlier buffer.
// EXPECT: kind=heap-overflow within=100 message~"past its end" function=first
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char* line;
static size_t size;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* unused) {
  pthread_mutex_lock(&guard);
  size_t room = size;
  pthread_mutex_unlock(&guard);
  pthread_mutex_lock(&guard);
  snprintf(line, room, "%d bottles of %s", 99, "beer");
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&guard);
  free(line);
  size = 8;
  line = malloc(size);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, two;
  size = 40;
  line = malloc(size);
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(line);
  return 0;
}
