// SPDX-License-Identifier: Apache-2.0
// Bug: a hand-made once flag is checked and set in two steps, so the set-up runs twice.
// EXPECT: kind=assertion within=100 message~"set_ups == 1" function=main
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int initialised;
static atomic_int set_ups;

static void* use(void* unused) {
  if (!atomic_load(&initialised)) {
    atomic_fetch_add(&set_ups, 1);
    atomic_store(&initialised, 1);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(set_ups == 1);
  return 0;
}
