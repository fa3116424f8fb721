// SPDX-License-Identifier: Apache-2.0
// Bug: a lock made of a volatile flag tests and sets it in two steps, so both threads get in.
// EXPECT: kind=assertion within=200 message~"owners == 1" function=enter
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static volatile int held;
static volatile int owners;

static void* enter(void* unused) {
  while (held) sched_yield();
  held = 1;
  owners = owners + 1;
  assert(owners == 1);
  owners = owners - 1;
  held = 0;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, enter, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
