// SPDX-License-Identifier: Apache-2.0
//
// System calls made by the program's own instructions, which no library can see: the mask of
// files, descriptors, directory, signals.
// FORKED: unseen
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "fresh.h"

namespace {

long call(long number, long a, long b, long c, long d) {
  register long fourth asm("r10") = d;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
}
void look() {
  FRESH(umask(022) == 022);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  FRESH(sigismember(&blocked, SIGUSR1) == 0);
  FRESH((call(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&blocked), 8) == 0));
  FRESH(sigismember(&blocked, SIGUSR1) == 0);
  FRESH(fcntl(0, F_GETFD) == 0 && fcntl(50, F_GETFD) < 0);
  FRESH(access("own_instructions", X_OK) == 0);
}
void leave(int order) {
  call(SYS_umask, 077, 0, 0, 0);
  unsigned long set = 1 << (SIGUSR1 - 1);
  call(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&set), 0, 8);
  call(SYS_dup2, 1, 50, 0, 0);
  if (order == 12) call(SYS_close, 0, 0, 0, 0);
  call(SYS_chdir, reinterpret_cast<long>("/"), 0, 0, 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
