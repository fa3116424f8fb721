// SPDX-License-Identifier: Apache-2.0
// Fixed: the count that was checked is the count that divides.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sum = 84;
static atomic_int count = 2;
static atomic_int result;

static void* average(void* unused) {
  const int seen = atomic_load(&count);
  if (seen != 0) atomic_store(&result, atomic_load(&sum) / seen);
  return unused;
}

static void* reset(void* unused) {
  atomic_store(&count, 0);
  return unused;
}

int main(void) {
  pthread_t reader;
  pthread_t writer;
  pthread_create(&reader, NULL, average, NULL);
  pthread_create(&writer, NULL, reset, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  return result == 0 || result == 42 ? 0 : 1;
}
