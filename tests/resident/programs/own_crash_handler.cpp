// SPDX-License-Identifier: Apache-2.0
//
// The program handles its own crashes, and jumps out of the handler.
#include <setjmp.h>
#include <signal.h>

#include "fresh.h"

namespace {

sigjmp_buf back;
int crashes;
void look() {
  struct sigaction action {};
  sigaction(SIGSEGV, nullptr, &action);
  FRESH(action.sa_handler == SIG_DFL);
  FRESH(crashes == 0);
}
void leave(int order) {
  struct sigaction action {};
  action.sa_handler = [](int) { siglongjmp(back, 1); };
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGFPE, &action, nullptr);
  sigaction(SIGABRT, &action, nullptr);
  if (sigsetjmp(back, order == 12) == 0) {
    *static_cast<volatile int*>(nullptr) = 1;
  } else {
    ++crashes;
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
