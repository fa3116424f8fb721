// SPDX-License-Identifier: Apache-2.0
//
// setjmp and longjmp. Target side. A jump leaves functions without their exit hooks, initialisers
// of pthread_once, and signal handlers; what the runtime keeps about those is dropped first. Signal
// masks are the model's, so sigsetjmp saves that one and not the kernel's. sigsetjmp itself returns
// twice and so is entered from tail_calls_x86_64.S.
#include <setjmp.h>
#include <signal.h>

#include "runtime/controller.h"
#include "runtime/real.h"
#include "runtime/signal_actions.h"
#include "runtime/start.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;

extern "C" {
// For tail_calls_x86_64.S: libc's function.
__attribute__((visibility("hidden"))) void* raddle_real_sigsetjmp;
// Returns `save`.
__attribute__((visibility("hidden"))) int raddle_prepare_setjmp(__jmp_buf_tag* buffer, int save);
}

namespace {

// A jmp_buf has room for masks of 1024 signals; libc uses the first word. libc still saves and
// restores the kernel's mask, which never changes, and so tells us whether one was saved at all.
constexpr unsigned kMaskWord = 1, kMarkWord = 2;
constexpr unsigned long kMark = 0x726164646c650001;

// glibc keeps the stack pointer of x86-64 in the seventh word, scrambled with the thread's pointer
// guard.
std::uintptr_t stack_pointer_in(const __jmp_buf_tag& buffer) {
  auto value = static_cast<std::uintptr_t>(buffer.__jmpbuf[6]);
  value = (value >> 17) | (value << 47);
  std::uintptr_t guard;
  __asm__("movq %%fs:0x30, %0" : "=r"(guard));
  return value ^ guard;
}

void drop_frames_below(std::uintptr_t stack_pointer) {
  Fiber& me = *g.current;
  // The entry hook of the function that is jumped to was called from the same stack pointer: its
  // frame lies two words lower. Functions called from there lie lower still.
  std::uintptr_t own = stack_pointer - 2 * sizeof(void*);
  while (me.top > me.frames && me.top[-1].stack_pointer < own) --me.top;
}

void prepare_longjmp(__jmp_buf_tag* buffer) {
  if (off()) return;
  Fiber& me = *g.current;
  std::uintptr_t target = stack_pointer_in(*buffer);
  if (target >= me.stack_low && target <= me.stack_high) {
    drop_frames_below(target);
    if (me.once_count > 0) abandon_onces_below(target);
    drop_suspended_below(target);
    leave_handlers_below(target);
  }
  if (!buffer->__mask_was_saved || buffer->__saved_mask.__val[kMarkWord] != kMark) return;
  set_signal_mask(me, buffer->__saved_mask.__val[kMaskWord]);
  deliver_signals();
}

}  // namespace

void raddle::runtime::find_setjmp() {
  if (raddle_real_sigsetjmp == nullptr) raddle_real_sigsetjmp = resolve_real("__sigsetjmp");
}

int raddle_prepare_setjmp(__jmp_buf_tag* buffer, int save) {
  find_setjmp();
  if (off()) return save;
  buffer->__saved_mask.__val[kMaskWord] = signal_mask(*g.current);
  buffer->__saved_mask.__val[kMarkWord] = kMark;
  return save;
}

RADDLE_EXPORT void longjmp(__jmp_buf_tag* buffer, int value) {
  prepare_longjmp(buffer);
  RADDLE_REAL(longjmp)(buffer, value);
  __builtin_unreachable();
}

RADDLE_EXPORT void _longjmp(__jmp_buf_tag* buffer, int value) {
  prepare_longjmp(buffer);
  RADDLE_REAL(_longjmp)(buffer, value);
  __builtin_unreachable();
}

RADDLE_EXPORT void siglongjmp(__jmp_buf_tag* buffer, int value) {
  prepare_longjmp(buffer);
  RADDLE_REAL(siglongjmp)(buffer, value);
  __builtin_unreachable();
}

// What the three become with _FORTIFY_SOURCE.
RADDLE_EXPORT void __longjmp_chk(__jmp_buf_tag* buffer, int value) {
  using Jump = void(__jmp_buf_tag*, int);
  static Jump* real;
  prepare_longjmp(buffer);
  real_function(&real, "__longjmp_chk")(buffer, value);
  __builtin_unreachable();
}
