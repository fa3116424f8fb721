// SPDX-License-Identifier: Apache-2.0
//
// Signals are blocked when the run ends; some are pending.
#include <signal.h>

#include "fresh.h"

namespace {

volatile sig_atomic_t caught;
void look() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int i = 1; i < 32; ++i) FRESH(sigismember(&blocked, i) == 0);
  sigset_t pending;
  sigpending(&pending);
  for (int i = 1; i < 32; ++i) FRESH(sigismember(&pending, i) == 0);
  FRESH(caught == 0);
  signal(SIGUSR1, [](int) { caught = caught + 1; });
}
void leave(int order) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR2);
  sigqueue(getpid(), SIGRTMIN + order, {});
  pthread_kill(pthread_self(), SIGALRM);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
