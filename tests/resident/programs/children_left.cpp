// SPDX-License-Identifier: Apache-2.0
//
// Children that nobody waits for: ended, and running for a little longer than the run.
// FORKED: .
#include <signal.h>
#include <sys/wait.h>

#include "fresh.h"

namespace {

void look() { FRESH(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD); }
void leave(int order) {
  if (fork() == 0) _exit(0);
  if (order == 12 && fork() == 0) {
    struct timespec wait {
      0, 20000000
    };
    syscall(SYS_nanosleep, &wait, nullptr);
    _exit(0);
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
