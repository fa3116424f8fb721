// SPDX-License-Identifier: Apache-2.0
// Bug: two phases take two locks in opposite orders, and nothing keeps the phases apart.
// EXPECT: kind=deadlock within=1 message~"`upper`" stack=second_phase
#include <pthread.h>

static pthread_mutex_t upper = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lower = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t between;
static int rounds;

static void* first_phase(void* unused) {
  pthread_mutex_lock(&upper);
  pthread_mutex_lock(&lower);
  ++rounds;
  pthread_mutex_unlock(&lower);
  pthread_mutex_unlock(&upper);
  return unused;
}

static void* second_phase(void* unused) {
  pthread_mutex_lock(&lower);
  pthread_mutex_lock(&upper);
  ++rounds;
  pthread_mutex_unlock(&upper);
  pthread_mutex_unlock(&lower);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&between, 0, 2);
  pthread_create(&threads[0], 0, first_phase, 0);
  pthread_create(&threads[1], 0, second_phase, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  pthread_barrier_destroy(&between);
  return rounds == 2 ? 0 : 1;
}
