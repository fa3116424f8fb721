// SPDX-License-Identifier: Apache-2.0
//
// Two readers give back their locks in either order; a writer that comes between them is not
// expected.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int value, reads;

static void* look(void* unused) {
  pthread_rwlock_rdlock(&lock);
  atomic_fetch_add(&reads, 1);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* change(void* unused) {
  pthread_rwlock_wrlock(&lock);
  atomic_store(&value, atomic_load(&reads));
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, look, NULL);
  pthread_create(&threads[1], NULL, look, NULL);
  pthread_create(&threads[2], NULL, change, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(atomic_load(&value) != 1);
}
