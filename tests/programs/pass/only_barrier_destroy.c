// SPDX-License-Identifier: Apache-2.0
// The thread that completes a barrier destroys it, although the others have not returned from their
// waits yet: nobody is blocked any more, so that is allowed, and libraries rely on it.
// SCHEDULES: 300
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int destroyed;

static void* meet(void* unused) {
  (void)unused;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(&barrier);
    ++destroyed;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, meet, NULL);
  meet(NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(destroyed == 1);
}
