// SPDX-License-Identifier: Apache-2.0
// Bug: what was looked at once is something else when it is looked at again.
// TEST: --strategy dpor --races report
// EXPECT: kind=assertion within=20 message~"ready" function=look
#include <assert.h>
#include <pthread.h>

static volatile int ready = 1;

static void* look(void* unused) {
  if (ready) assert(ready);
  return unused;
}

static void* change(void* unused) {
  ready = 0;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, look, NULL);
  pthread_create(&two, NULL, change, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
