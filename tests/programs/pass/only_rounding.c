// SPDX-License-Identifier: Apache-2.0
// A thread rounds as its creator did at first, and keeps its own way whoever runs in between.
// FLAGS: -lm
// SCHEDULES: 100
#include <assert.h>
#include <fenv.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void let_others_run(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

// What 1/3 is rounded to tells whether the processor was told, too.
__attribute__((noinline)) static double third(void) {
  volatile double one = 1, three = 3;
  return one / three;
}

static void* work(void* mode) {
  assert(fegetround() == FE_UPWARD);
  int mine = *(int*)mode;
  fesetround(mine);
  double before = third();
  for (int i = 0; i < 3; ++i) {
    let_others_run();
    assert(fegetround() == mine);
    assert(third() == before);
  }
  return 0;
}

int main(void) {
  double nearest = third();
  fesetround(FE_UPWARD);
  double upward = third();
  assert(upward > nearest);
  int down = FE_DOWNWARD, zero = FE_TOWARDZERO;
  pthread_t first, second;
  pthread_create(&first, 0, work, &down);
  pthread_create(&second, 0, work, &zero);
  let_others_run();
  assert(third() == upward);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(fegetround() == FE_UPWARD && third() == upward);
  return 0;
}
