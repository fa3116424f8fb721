// SPDX-License-Identifier: Apache-2.0
//
// A real timer set by the program's own instructions: its signal comes in a later run.
// FORKED: unseen
#include <signal.h>
#include <sys/time.h>

#include "fresh.h"

namespace {

long call(long number, long a, long b, long c) {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c)
               : "rcx", "r11", "memory");
  return result;
}
void look() {
  itimerval left{};
  call(SYS_getitimer, ITIMER_REAL, reinterpret_cast<long>(&left), 0);
  FRESH(left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
}
void leave(int) {
  itimerval later{{0, 0}, {50, 0}};
  call(SYS_setitimer, ITIMER_REAL, reinterpret_cast<long>(&later), 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
