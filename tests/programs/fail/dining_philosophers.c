// SPDX-License-Identifier: Apache-2.0
// Bug: four philosophers all pick up the left fork first and starve waiting for the right one.
// EXPECT: kind=deadlock within=1000 stack=dine
#include <pthread.h>
#include <stddef.h>

enum { kSeats = 4 };

static pthread_mutex_t forks[kSeats];
static int seats[kSeats];

static void* dine(void* argument) {
  const int seat = *(const int*)argument;
  pthread_mutex_t* left = &forks[seat];
  pthread_mutex_t* right = &forks[(seat + 1) % kSeats];
  pthread_mutex_lock(left);
  pthread_mutex_lock(right);
  pthread_mutex_unlock(right);
  pthread_mutex_unlock(left);
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
