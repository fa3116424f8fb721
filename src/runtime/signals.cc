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
#include "runtime/runtime.h"
#include "wire/shared_block.h"

namespace raddle::runtime {
namespace {

alignas(16) unsigned char handler_stack[64 << 10];

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// Faults this close to the stack pointer, below the stack, are the stack's own growth.
constexpr std::uintptr_t kNearStack = 64 << 10;

bool is_stack_overflow(int signal, const siginfo_t& info, std::uintptr_t stack_pointer) {
  if (signal != SIGSEGV) return false;
  auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  const Fiber& me = *g.current;
  bool near = address + kNearStack > stack_pointer && address < stack_pointer + kNearStack;
  if (me.is_main)
    return near && info.si_code == SEGV_MAPERR && me.stack_high - address > (4u << 20);
  return address < me.stack_low && address >= me.stack_low - kStackGuardBytes;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto pc = static_cast<std::uintptr_t>(registers[REG_RIP]);
  auto stack_pointer = static_cast<std::uintptr_t>(registers[REG_RSP]);
  Ending ending{.kind = wire::VerdictKind::crash,
                .code = signal,
                .fault_address = reinterpret_cast<std::uintptr_t>(info->si_addr),
                .pc = pc + 1,  // frames are return addresses; this one is exact
                .stack_pointer = stack_pointer};
  if (signal == wire::kWatchdogSignal)
    ending.kind = wire::VerdictKind::hang;
  else if (is_stack_overflow(signal, *info, stack_pointer)) {
    ending.kind = wire::VerdictKind::stack_overflow;
    ending.stack_pointer = (ending.fault_address | 0xfff) + 1;  // the stack pointer has no memory
  } else if (signal == SIGABRT)
    ending.kind = wire::VerdictKind::assertion;
  end_run(ending);
}

}  // namespace

void install_signal_handlers() {
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int signal : kCrashSignals) sigaction(signal, &action, nullptr);
  sigaction(wire::kWatchdogSignal, &action, nullptr);
}

void remove_signal_handlers() {
  auto reset = [](int signal) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    bool ours = (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal;
    action = {};
    action.sa_handler = SIG_DFL;
    if (ours) sigaction(signal, &action, nullptr);
  };
  for (int signal : kCrashSignals) reset(signal);
  reset(wire::kWatchdogSignal);
}

}  // namespace raddle::runtime

using namespace raddle::runtime;

namespace {

// What a program asks to block, less what must always reach us.
const sigset_t* without_ours(const sigset_t* wanted, sigset_t* copy) {
  if (wanted == nullptr) return nullptr;
  *copy = *wanted;
  for (int signal : kCrashSignals) sigdelset(copy, signal);
  sigdelset(copy, raddle::wire::kWatchdogSignal);
  return copy;
}

}  // namespace

RADDLE_EXPORT int sigprocmask(int how, const sigset_t* wanted, sigset_t* old) {
  if (off() || how == SIG_UNBLOCK) return RADDLE_REAL(sigprocmask)(how, wanted, old);
  sigset_t copy;
  return RADDLE_REAL(sigprocmask)(how, without_ours(wanted, &copy), old);
}

RADDLE_EXPORT int pthread_sigmask(int how, const sigset_t* wanted, sigset_t* old) {
  if (off() || how == SIG_UNBLOCK) return RADDLE_REAL(pthread_sigmask)(how, wanted, old);
  sigset_t copy;
  return RADDLE_REAL(pthread_sigmask)(how, without_ours(wanted, &copy), old);
}
