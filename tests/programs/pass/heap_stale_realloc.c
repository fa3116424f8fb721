// SPDX-License-Identifier: Apache-2.0
// Fixed: the pointer is read again under the lock.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int* items;

static void* grow(void* unused) {
  pthread_mutex_lock(&lock);
  items = realloc(items, 400);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* fill(void* unused) {
  pthread_mutex_lock(&lock);
  int* mine = items;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  mine = items;
  mine[0] = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  items = malloc(40);
  pthread_t one, two;
  pthread_create(&one, 0, grow, 0);
  pthread_create(&two, 0, fill, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  free(items);
  return 0;
}
