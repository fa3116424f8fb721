// SPDX-License-Identifier: Apache-2.0
//
// Alarms and interval timers that have not come when the run ends.
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "fresh.h"

namespace {

volatile sig_atomic_t came;
void look() {
  FRESH(alarm(0) == 0);
  itimerval left{};
  for (auto which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    FRESH(getitimer(which, &left) == 0);
    FRESH(left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
  }
  FRESH(came == 0);
}
void leave(int order) {
  signal(SIGALRM, [](int) { came = came + 1; });
  if (order == 12) {
    alarm(1000);
  } else {
    itimerval soon{{0, 5000}, {0, 5000}};
    setitimer(ITIMER_REAL, &soon, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
