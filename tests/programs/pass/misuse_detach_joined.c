// SPDX-License-Identifier: Apache-2.0
// Fixed: it is only joined.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>

static void* work(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);

  pthread_join(thread, 0);
  return 0;
}
