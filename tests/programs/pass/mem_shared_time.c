// SPDX-License-Identifier: Apache-2.0
// Fixed: gmtime_r fills in the thread's own.
// SCHEDULES: 500
#include <pthread.h>
#include <time.h>

static int years[2];

static int year_of(time_t when) {
  struct tm mine;
  return gmtime_r(&when, &mine)->tm_year;
}

static void* first(void* unused) {
  years[0] = year_of(0);
  return unused;
}

static void* second(void* unused) {
  years[1] = year_of(86400 * 400);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return years[0] > years[1] + 100;
}
