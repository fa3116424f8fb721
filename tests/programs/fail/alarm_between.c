// SPDX-License-Identifier: Apache-2.0
// Bug: the alarm may come between two writes that belong together.
// TEST: --timers any
// EXPECT: kind=assertion within=200 function=on_alarm
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
  entries = entries + 1;
  lines = lines + 1;
}

int main(void) {
  signal(SIGALRM, on_alarm);
  alarm(1);
  for (int i = 0; i < 3; ++i) write_line();
  while (fired == 0) pause();
  return 0;
}
