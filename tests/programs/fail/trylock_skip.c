// SPDX-License-Identifier: Apache-2.0
// Bug: an update is silently skipped when the lock is busy.
// EXPECT: kind=exit-code within=100 message~"1"
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int updates;

static void* update(void* unused) {
  if (pthread_mutex_trylock(&guard) == 0) {
    updates += 1;
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, update, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return updates == 2 ? 0 : 1;
}
