// SPDX-License-Identifier: Apache-2.0
// Fixed: one lock for both.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static int numbers[8] = {5, 3, 8, 1, 7, 2, 6, 4};
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* first(void* unused) {
  pthread_mutex_lock(&guard);
  qsort(numbers, 8, sizeof numbers[0], compare);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&guard);
  numbers[3] = 9;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
