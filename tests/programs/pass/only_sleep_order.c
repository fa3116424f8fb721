// SPDX-License-Identifier: Apache-2.0
// Sleepers wake in the order of their deadlines, whatever the schedule.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int woken;

static void* short_sleep(void* unused) {
  usleep(10 * 1000);
  const int place = atomic_fetch_add(&woken, 1);
  assert(place == 0);
  return unused;
}

static void* long_sleep(void* unused) {
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = 200 * 1000 * 1000};
  nanosleep(&pause, NULL);
  const int place = atomic_fetch_add(&woken, 1);
  assert(place == 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, long_sleep, NULL);
  pthread_create(&threads[1], NULL, short_sleep, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return woken == 2 ? 0 : 1;
}
