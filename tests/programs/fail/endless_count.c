// SPDX-License-Identifier: Apache-2.0
// Bug: the counting threads are never told to stop; the run is cut, which is no finding.
// TEST: --max-steps 2000
// EXPECT: kind=limit within=20
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;
static atomic_llong count;

static void* run(void* unused) {
  while (!atomic_load(&stop)) atomic_fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
