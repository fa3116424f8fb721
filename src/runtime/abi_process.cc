// SPDX-License-Identifier: Apache-2.0
//
// How the program ends itself: abort, failed assertions, uncaught exceptions, exit. Target side.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/in_process.h"
#include "runtime/locate.h"
#include "runtime/process_end.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"
#include "runtime/signal_actions.h"
#include "runtime/start.h"

using namespace raddle::runtime;
using raddle::wire::VerdictKind;

extern "C" {
extern const char* __progname;
// A compiler's vtables refer to it; never called.
__attribute__((visibility("hidden"))) void __cxa_pure_virtual() { __builtin_trap(); }
}

namespace {

void (*real_exit)(int);
void (*real_exit_now)(int);

void put_error(const char* text) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, strlen(text));
}

// The mangled name of the exception being handled, or null. std::type_info: vptr, name.
const char* current_exception_name() {
  using CurrentType = void*();
  auto* current =
      reinterpret_cast<CurrentType*>(find_symbol(RTLD_DEFAULT, "__cxa_current_exception_type"));
  void* type = current == nullptr ? nullptr : current();
  if (type == nullptr) return nullptr;
  const char* name = static_cast<const char**>(type)[1];
  return name[0] == '*' ? name + 1 : name;
}

[[noreturn]] void end_with_abort(std::uintptr_t pc) {
  auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const Fiber& me = *g.current;
  const char* exception = current_exception_name();
  if (exception == nullptr && me.terminate_pc != 0)
    end_run({.kind = VerdictKind::exception,
             .pc = me.terminate_pc,
             .stack_pointer = frame,
             .message = "std::terminate was called without an active exception"});
  if (exception == nullptr)
    end_run({.kind = VerdictKind::assertion, .pc = pc, .stack_pointer = frame});
  end_run({.kind = VerdictKind::exception,
           .pc = me.throw_pc != 0 ? me.throw_pc : pc,
           .stack_pointer = frame,
           // On the way to a noexcept function frames have been left, but not yet overwritten.
           .depth = me.throw_pc != 0 ? me.throw_depth : 0,
           .message = exception});
}

// A test that is repeated in one process must not end it.
void refuse_in_process(const char* message, std::uintptr_t pc) {
  if (running() && g.in_process)
    end_run({.kind = VerdictKind::assertion, .pc = pc, .message = message});
}

}  // namespace

namespace raddle::runtime {

void find_exit() {
  real_function(&real_exit, "exit");
  // Ours is called from signal handlers too, which must not look up anything.
  real_function(&real_exit_now, "_exit");
}

void exit_from(int status, std::uintptr_t pc) {
  if (status == 0) refuse_in_process("the test called exit(0)", pc);
  if (running() && g.in_process) {
    write_verdict({.kind = VerdictKind::exited, .code = status, .pc = pc});
    if (in_place()) leave_run();
    _exit(status);
  }
  begin_process_end(status, pc);
  find_exit();
  real_exit(status);
  __builtin_unreachable();
}

}  // namespace raddle::runtime

RADDLE_EXPORT void abort() {
  if (!running()) RADDLE_REAL(abort)();
  // The program's handler comes first and need not return.
  if (program_handles_crash(SIGABRT)) {
    Fiber& me = *g.current;
    set_signal_mask(me, signal_mask(me) & ~signal_bit(SIGABRT));
    raise(SIGABRT);
  }
  end_with_abort(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line,
                                 const char* function) {
  using AssertFail = void(const char*, const char*, unsigned, const char*);
  static AssertFail* real;
  if (!running()) real_function(&real, "__assert_fail")(expression, file, line, function);
  char text[1024];
  snprintf(text, sizeof text, "%s: %s:%u: %s: Assertion `%s' failed.\n", __progname, file, line,
           function, expression);
  put_error(text);
  say("Assertion `");
  say(expression);
  say("' failed");
  end_run({.kind = VerdictKind::assertion, .pc = RADDLE_PROGRAM_CALLER});
}

RADDLE_EXPORT void __cxa_throw(void* object, void* type, void (*destructor)(void*)) {
  using Throw = void(void*, void*, void (*)(void*));
  static Throw* real;
  if (!off()) {
    Fiber& me = *g.current;
    me.throw_pc = RADDLE_PROGRAM_CALLER;
    // The frames are gone when it is reported, so the stack is looked at now.
    if (me.library_frame != 0 && is_system_site(site_of(me.throw_pc)))
      if (std::uintptr_t above = nearest_program_pc(me, me.library_frame)) me.throw_pc = above;
    me.throw_depth = static_cast<std::uint32_t>(me.top - me.frames);
  }
  real_function(&real, "__cxa_throw")(object, type, destructor);
  __builtin_unreachable();
}

// std::terminate
RADDLE_EXPORT void _ZSt9terminatev() {
  using Terminate = void();
  static Terminate* real;
  if (!off()) g.current->terminate_pc = RADDLE_PROGRAM_CALLER;
  real_function(&real, "_ZSt9terminatev")();
  __builtin_unreachable();
}

RADDLE_EXPORT void exit(int status) {
  if (!off()) exit_from(status, RADDLE_PROGRAM_CALLER);
  find_exit();
  real_exit(status);
  __builtin_unreachable();
}

RADDLE_EXPORT void _exit(int status) {
  refuse_in_process("the test called _exit", RADDLE_PROGRAM_CALLER);
  end_process_at_once(status, RADDLE_PROGRAM_CALLER);
  end_resident_run(status);
  real_function(&real_exit_now, "_exit")(status);
  __builtin_unreachable();
}

RADDLE_EXPORT void _Exit(int status) {
  refuse_in_process("the test called _Exit", RADDLE_PROGRAM_CALLER);
  end_process_at_once(status, RADDLE_PROGRAM_CALLER);
  end_resident_run(status);
  real_function(&real_exit_now, "_exit")(status);
  __builtin_unreachable();
}

RADDLE_EXPORT void quick_exit(int status) noexcept {
  static void (*real)(int);
  refuse_in_process("the test called quick_exit", RADDLE_PROGRAM_CALLER);
  begin_process_end(status, RADDLE_PROGRAM_CALLER);
  real_function(&real, "quick_exit")(status);
  __builtin_unreachable();
}
