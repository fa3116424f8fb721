// SPDX-License-Identifier: Apache-2.0
// setjmp and longjmp inside threads, with a switch between the two.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stddef.h>

static int values[2] = {3, 4};

static void leave(jmp_buf target, int value) {
  sched_yield();
  longjmp(target, value);
}

static void* work(void* argument) {
  jmp_buf here;
  const volatile int expected = *(const int*)argument;
  const int value = setjmp(here);
  if (value == 0) leave(here, expected);
  assert(value == expected);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &values[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
