// SPDX-License-Identifier: Apache-2.0
// Bug: the reference count is decremented and then read again, so two threads see zero.
// EXPECT: kind=assertion within=200 message~"destroyed" function=release
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int references = 2;
static atomic_int destroyed;

static void* release(void* unused) {
  atomic_fetch_sub(&references, 1);
  if (atomic_load(&references) == 0) assert(atomic_exchange(&destroyed, 1) == 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, release, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return destroyed == 1 ? 0 : 1;
}
