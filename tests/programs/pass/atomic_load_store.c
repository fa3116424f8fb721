// SPDX-License-Identifier: Apache-2.0
// Fixed: the increment is one read-modify-write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int hits;

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; ++i) atomic_fetch_add(&hits, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(hits == 4);
  return 0;
}
