// SPDX-License-Identifier: Apache-2.0
//
// System calls made by syscall(), past the functions of libc.
// FORKED: .
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "fresh.h"

namespace {

void look() {
  FRESH(umask(022) == 022);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  FRESH(sigismember(&blocked, SIGUSR1) == 0);
  FRESH(fcntl(0, F_GETFD) == 0 && fcntl(50, F_GETFD) < 0);
  FRESH(access("raw_calls", X_OK) == 0);
}
void leave(int order) {
  syscall(SYS_umask, 077);
  unsigned long set = 1 << (SIGUSR1 - 1);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, nullptr, 8);
  syscall(SYS_dup2, 1, 50);
  if (order == 12) syscall(SYS_close, 0);
  syscall(SYS_chdir, "/");
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
