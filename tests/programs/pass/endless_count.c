// SPDX-License-Identifier: Apache-2.0
// Fixed: the counting stops at a limit.
// TEST: --max-steps 2000
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;
static atomic_llong count;

static void* run(void* unused) {
  while (!atomic_load(&stop)) {
    if (atomic_fetch_add(&count, 1) >= 10) atomic_store(&stop, 1);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
