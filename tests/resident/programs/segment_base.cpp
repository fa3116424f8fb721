// SPDX-License-Identifier: Apache-2.0
//
// The base of the segment gs, and other things that only the kernel sets for a thread.
// FORKED: .
#include <asm/prctl.h>
#include <sys/prctl.h>

#include "fresh.h"

namespace {

char area[64];
void look() {
  unsigned long base = 1;
  FRESH(syscall(SYS_arch_prctl, ARCH_GET_GS, &base) == 0 && base == 0);
  int mode = 0;
  prctl(PR_GET_TSC, &mode);
  FRESH(mode == PR_TSC_ENABLE);
}
void leave(int) {
  syscall(SYS_arch_prctl, ARCH_SET_GS, area);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
