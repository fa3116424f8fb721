// SPDX-License-Identifier: Apache-2.0
//
// Interval timers of processor time, whose signals are real.
// FORKED: ^$|.
#include <signal.h>
#include <sys/time.h>

#include "fresh.h"

namespace {

void look() {
  itimerval left{};
  for (auto which : {ITIMER_VIRTUAL, ITIMER_PROF}) {
    getitimer(which, &left);
    FRESH(left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
  }
}
void leave(int order) {
  itimerval later{{0, 0}, {100, 0}};
  setitimer(order == 12 ? ITIMER_VIRTUAL : ITIMER_PROF, &later, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
