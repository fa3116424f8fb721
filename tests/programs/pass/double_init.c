// SPDX-License-Identifier: Apache-2.0
// Fixed: pthread_once runs the set-up, and the others wait for its end.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int set_ups;

static void set_up(void) { set_ups += 1; }

static void* use(void* unused) {
  pthread_once(&once, set_up);
  assert(set_ups == 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(set_ups == 1);
  return 0;
}
