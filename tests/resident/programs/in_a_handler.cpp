// SPDX-License-Identifier: Apache-2.0
//
// The run ends inside a handler that runs inside another one.
#include <signal.h>

#include "fresh.h"

namespace {

volatile sig_atomic_t depth;
void look() {
  FRESH(depth == 0);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  FRESH(sigismember(&blocked, SIGUSR1) == 0 && sigismember(&blocked, SIGUSR2) == 0);
}
void handle(int number) {
  depth = depth + 1;
  if (number == SIGUSR1) raise(SIGUSR2);
  if (number == SIGUSR2) {
    puts("ends here");
    exit(0);
  }
}
void leave(int order) {
  signal(SIGUSR1, handle);
  signal(SIGUSR2, handle);
  raise(order == 12 ? SIGUSR1 : SIGUSR2);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
