// SPDX-License-Identifier: Apache-2.0
//
// Switching between fibers. Target side; inline.
//
// Processors foresee where a return goes by counting calls, as if there were one stack. A fiber
// that is switched to returns from other calls than the one before has made, and each of these
// returns is foreseen wrongly, which takes longer than all the rest of a switch. So a switch is no
// call, but a jump there and a jump back: it leaves only the returns of functions that it is
// inlined in.
#pragma once

#include "runtime/runtime.h"
#include "runtime/tls.h"

namespace raddle::runtime {

// Requires: `to` is not the current fiber. Goes on when somebody switches back. The code it is in
// is compiled without a red zone below the stack pointer.
__attribute__((always_inline)) inline void switch_to(Fiber& to) {
  void** save_to = &g.current->stack_pointer;
  void* load_from = to.stack_pointer;
  g.current = &to;
  write_fs_base(to.thread_pointer);
  __asm__ volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "jmp raddle_switch_stack\n"
      "1:"
      : "+D"(save_to), "+S"(load_from)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
        "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15", "memory", "cc");
  after_switch();
}

}  // namespace raddle::runtime
