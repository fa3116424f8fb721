// SPDX-License-Identifier: Apache-2.0
// alarm and setitimer by the virtual clock: repeating, set anew, switched off, reported.
// UNCONTROLLED: skip
// SCHEDULES: 500
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int ticks;

static void tick(int number) {
  assert(number == SIGALRM);
  atomic_fetch_add(&ticks, 1);
}

int main(void) {
  signal(SIGALRM, tick);
  const struct itimerval every = {{10, 0}, {10, 0}};
  assert(setitimer(ITIMER_REAL, &every, NULL) == 0);
  const time_t start = time(NULL);
  while (atomic_load(&ticks) < 3) pause();
  assert(time(NULL) - start >= 30 && time(NULL) - start < 40);
  assert(alarm(100) > 0);  // takes the place of the repeating one
  assert(sleep(50) == 0);
  const unsigned left = alarm(200);
  assert(left >= 49 && left <= 50);
  assert(sleep(150) == 0 && atomic_load(&ticks) == 3);
  assert(sleep(100) > 0 && atomic_load(&ticks) == 4);
  alarm(5);
  assert(alarm(0) == 5);
  assert(sleep(10) == 0 && atomic_load(&ticks) == 4);
  return 0;
}
