// SPDX-License-Identifier: Apache-2.0
// Fixed: the variable is static.
// SCHEDULES: 500
#include <pthread.h>

static volatile int* place;

static void* compute(void* unused) {
  static volatile int result = 7;
  place = &result;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, compute, 0);
  pthread_join(thread, 0);
  return *place != 7;
}
