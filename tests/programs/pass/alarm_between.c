// SPDX-License-Identifier: Apache-2.0
// The alarm is blocked while the two writes are made, and while the flag is looked at.
// TEST: --timers any
// SCHEDULES: 500
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile int entries, lines;
static volatile sig_atomic_t fired;

static void on_alarm(int number) {
  (void)number;
  assert(entries == lines);
  fired = 1;
}

static void write_line(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  entries = entries + 1;
  lines = lines + 1;
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int main(void) {
  signal(SIGALRM, on_alarm);
  alarm(1);
  for (int i = 0; i < 3; ++i) write_line();
  sigset_t set, none;
  sigemptyset(&none);
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  while (fired == 0) sigsuspend(&none);
  return 0;
}
