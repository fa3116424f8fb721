// SPDX-License-Identifier: Apache-2.0
// Bug: the consumer checks once, before it waits; another one takes the item while it wakes up.
// EXPECT: kind=assertion within=100 message~"items > 0" function=consume
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;
static int items;

static void* consume(void* unused) {
  pthread_mutex_lock(&guard);
  if (items == 0) pthread_cond_wait(&available, &guard);
  assert(items > 0);
  items -= 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* produce(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&guard);
    items += 1;
    pthread_cond_signal(&available);
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, consume, NULL);
  pthread_create(&threads[1], NULL, produce, NULL);
  pthread_create(&threads[2], NULL, consume, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return items;
}
