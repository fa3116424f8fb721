// SPDX-License-Identifier: Apache-2.0
// Fixed: both threads take the mutex first; a third only tries the spinlock.
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t spin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int bonus;

static void* lock_then_spin(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_spin_lock(&spin);
  value += 1;
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* try_spin(void* unused) {
  if (pthread_spin_trylock(&spin) == 0) {
    bonus += 1;
    pthread_spin_unlock(&spin);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&threads[0], NULL, lock_then_spin, NULL);
  pthread_create(&threads[1], NULL, lock_then_spin, NULL);
  pthread_create(&threads[2], NULL, try_spin, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  pthread_spin_destroy(&spin);
  return value == 2 && bonus <= 1 ? 0 : 1;
}
