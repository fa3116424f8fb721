// SPDX-License-Identifier: Apache-2.0
// Bug: a spinlock and a mutex are taken in opposite orders.
// EXPECT: kind=deadlock within=200 stack=spin_then_lock
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t spin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* spin_then_lock(void* unused) {
  pthread_spin_lock(&spin);
  pthread_mutex_lock(&mutex);
  value += 1;
  pthread_mutex_unlock(&mutex);
  pthread_spin_unlock(&spin);
  return unused;
}

static void* lock_then_spin(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_spin_lock(&spin);
  value += 1;
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t first;
  pthread_t second;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&first, NULL, spin_then_lock, NULL);
  pthread_create(&second, NULL, lock_then_spin, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_spin_destroy(&spin);
  return value == 2 ? 0 : 1;
}
