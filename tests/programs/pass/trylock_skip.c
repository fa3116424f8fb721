// SPDX-License-Identifier: Apache-2.0
// Fixed: when the lock is busy the thread waits for it.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int updates;

static void* update(void* unused) {
  if (pthread_mutex_trylock(&guard) == EBUSY) pthread_mutex_lock(&guard);
  updates += 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, update, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return updates == 2 ? 0 : 1;
}
