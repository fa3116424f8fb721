// SPDX-License-Identifier: Apache-2.0
//
// The run ends on a stack of the program's own making, or after a jump off one.
#include <setjmp.h>
#include <ucontext.h>

#include "fresh.h"

namespace {

ucontext_t back, there;
alignas(16) char stack[128 << 10];
jmp_buf jump;
int visits;
void visit() {
  ++visits;
  if (fresh::order == 12) exit(fresh::end(fresh::how));
  longjmp(jump, 1);
}
void look() {
  FRESH(visits == 0);
  for (char each : stack) FRESH(each == 0);
}
void leave(int) {
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &back;
  makecontext(&there, visit, 0);
  if (setjmp(jump) == 0) swapcontext(&back, &there);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
