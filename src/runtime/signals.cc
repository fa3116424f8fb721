// SPDX-License-Identifier: Apache-2.0
//
// Signals that end a run: crashes, and the engine's watchdog. Target side. They are handled on a
// stack of their own, since the fiber's may be the problem.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/fatal.h"
#include "runtime/memory_map.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"
#include "runtime/signal_actions.h"
#include "wire/shared_block.h"

namespace raddle::runtime {
namespace {

alignas(16) unsigned char handler_stack[64 << 10];

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

static_assert(sizeof kCrashSignals / sizeof *kCrashSignals + 1 == kHandlersInstalled);

// Faults this close to the stack pointer, below the stack, are the stack's own growth.
constexpr std::uintptr_t kNearStack = 64 << 10;

// Natively its computing may be ended by somebody.
bool cancelled_anywhere(const Fiber& fiber) {
  return fiber.cancel_async && !fiber.cancel_disabled && g.live_count > 1;
}

bool is_stack_overflow(int signal, const siginfo_t& info, std::uintptr_t stack_pointer) {
  if (signal != SIGSEGV) return false;
  auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  const Fiber& me = *g.current;
  bool near = address + kNearStack > stack_pointer && address < stack_pointer + kNearStack;
  if (me.is_main)
    return near && info.si_code == SEGV_MAPERR && me.stack_high - address > (4u << 20);
  return address < me.stack_low && address >= me.stack_low - kStackGuardBytes;
}

}  // namespace

bool is_crash_signal(int number) {
  for (int signal : kCrashSignals)
    if (signal == number) return true;
  return false;
}

void report_crash(int signal, siginfo_t* info, void* context) {
  if (is_restoring()) give_up_residence();
  note_signal_frame();
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto pc = static_cast<std::uintptr_t>(registers[REG_RIP]);
  auto stack_pointer = static_cast<std::uintptr_t>(registers[REG_RSP]);
  Ending ending{.kind = wire::VerdictKind::crash,
                .code = signal,
                .fault_address = reinterpret_cast<std::uintptr_t>(info->si_addr),
                .pc = pc + 1,  // frames are return addresses; this one is exact
                .stack_pointer = stack_pointer};
  if (signal == wire::kWatchdogSignal && cancelled_anywhere(*g.current))
    refuse(
        "a thread that may be cancelled at any instruction (PTHREAD_CANCEL_ASYNCHRONOUS) computes "
        "without coming to a point, at which raddle could cancel it");
  if (signal == wire::kWatchdogSignal)
    ending.kind = wire::VerdictKind::hang;
  else if (is_stack_overflow(signal, *info, stack_pointer)) {
    ending.kind = wire::VerdictKind::stack_overflow;
    ending.stack_pointer = (ending.fault_address | 0xfff) + 1;  // the stack pointer has no memory
  } else if (signal == SIGABRT)
    ending.kind = wire::VerdictKind::assertion;
  end_run(ending);
}

void install_signal_handlers() { install_signal_handlers(report_crash, nullptr); }

void install_signal_handlers(SignalHandler* handler, PreviousHandlers* previous) {
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  RADDLE_REAL(sigaltstack)(&stack, previous != nullptr ? &previous->stack : nullptr);
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  struct sigaction* before = previous != nullptr ? previous->actions : nullptr;
  for (int signal : kCrashSignals) {
    if (!program_handles_crash(signal)) RADDLE_REAL(sigaction)(signal, &action, before);
    if (before != nullptr) ++before;
  }
  RADDLE_REAL(sigaction)(wire::kWatchdogSignal, &action, before);
}

void restore_signal_handlers(const PreviousHandlers& previous) {
  const struct sigaction* action = previous.actions;
  for (int signal : kCrashSignals) RADDLE_REAL(sigaction)(signal, action++, nullptr);
  RADDLE_REAL(sigaction)(wire::kWatchdogSignal, action, nullptr);
  RADDLE_REAL(sigaltstack)(&previous.stack, nullptr);
}

}  // namespace raddle::runtime
