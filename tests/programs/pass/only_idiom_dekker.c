// SPDX-License-Identifier: Apache-2.0
// Dekker's algorithm in C11: two flags and whose turn it is, all sequentially consistent.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool wants[2];
static atomic_int turn;
static int counter;

static void lock(int me) {
  wants[me] = true;
  while (wants[1 - me]) {
    if (turn == me) continue;
    wants[me] = false;
    while (turn != me) sched_yield();
    wants[me] = true;
  }
}

static void unlock(int me) {
  turn = 1 - me;
  wants[me] = false;
}

static void* work(void* argument) {
  int me = argument != NULL;
  for (int i = 0; i < 3; ++i) {
    lock(me);
    int before = counter;
    counter = before + 1;
    assert(counter == before + 1);
    unlock(me);
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  int one = 1;
  assert(pthread_create(&other, NULL, work, &one) == 0);
  work(NULL);
  assert(pthread_join(other, NULL) == 0);
  assert(counter == 6);
  return 0;
}
