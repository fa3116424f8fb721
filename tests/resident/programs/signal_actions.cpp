// SPDX-License-Identifier: Apache-2.0
//
// Handlers of all signals, also those of raddle, with a stack of their own.
#include <signal.h>

#include "fresh.h"

namespace {

volatile sig_atomic_t caught;
char stack[65536];
void look() {
  for (int i = 1; i < 32; ++i) {
    if (i == SIGKILL || i == SIGSTOP) continue;
    struct sigaction action {};
    FRESH(sigaction(i, nullptr, &action) == 0 && action.sa_handler == SIG_DFL);
  }
  stack_t old{};
  FRESH(sigaltstack(nullptr, &old) == 0 && old.ss_sp != stack);
  FRESH(caught == 0);
  for (char each : stack) FRESH(each == 0);
}
void leave(int order) {
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  FRESH(sigaltstack(&other, nullptr) == 0);
  struct sigaction action {};
  action.sa_handler = [](int) { caught = caught + 1; };
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int i : {SIGUSR1, SIGALRM, SIGCHLD, SIGHUP, SIGTERM, SIGINT}) sigaction(i, &action, nullptr);
  raise(order == 12 ? SIGUSR1 : SIGALRM);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
