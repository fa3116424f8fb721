// SPDX-License-Identifier: Apache-2.0
// A loop that counts in a register and repeats the same operations, longer than a run may take: it
// is cut, and no livelock.
// TEST: --max-steps 3000
// EXPECT: kind=limit within=10
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* count(void* unused) {
  for (int i = 0; i < 2000; ++i) {
    pthread_mutex_lock(&guard);
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
