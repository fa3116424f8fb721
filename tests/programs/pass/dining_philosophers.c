// SPDX-License-Identifier: Apache-2.0
// Fixed: the last philosopher picks up the right fork first, which breaks the ring.
#include <pthread.h>
#include <stddef.h>

enum { kSeats = 4 };

static pthread_mutex_t forks[kSeats];
static int seats[kSeats];

static void* dine(void* argument) {
  const int seat = *(const int*)argument;
  const int next = (seat + 1) % kSeats;
  pthread_mutex_t* lower = &forks[seat < next ? seat : next];
  pthread_mutex_t* upper = &forks[seat < next ? next : seat];
  pthread_mutex_lock(lower);
  pthread_mutex_lock(upper);
  pthread_mutex_unlock(upper);
  pthread_mutex_unlock(lower);
  return NULL;
}

int main(void) {
  pthread_t threads[kSeats];
  for (int i = 0; i < kSeats; ++i) {
    pthread_mutex_init(&forks[i], NULL);
    seats[i] = i;
  }
  for (int i = 0; i < kSeats; ++i) pthread_create(&threads[i], NULL, dine, &seats[i]);
  for (int i = 0; i < kSeats; ++i) pthread_join(threads[i], NULL);
  return 0;
}
