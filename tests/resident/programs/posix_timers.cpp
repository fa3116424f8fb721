// SPDX-License-Identifier: Apache-2.0
//
// POSIX timers that are not deleted: the next run has none.
#include <signal.h>
#include <time.h>

#include "fresh.h"

namespace {

void look() {
  timer_t timer;
  sigevent event{};
  event.sigev_notify = SIGEV_NONE;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
  FRESH(timer == timer_t{});  // the first number
  timer_delete(timer);
}
void leave(int) {
  signal(SIGUSR1, [](int) {});
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
  itimerspec soon{{0, 0}, {0, 2000000}};
  timer_settime(timer, 0, &soon, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
