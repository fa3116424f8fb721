// SPDX-License-Identifier: Apache-2.0
//
// Actions of signals, real handlers, running the program's handlers. Target side. See
// signal_actions.h.
#include "runtime/signal_actions.h"

#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/controller.h"
#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/real.h"
#include "runtime/resident.h"

namespace raddle::runtime {
namespace {

struct sigaction actions[kSignalsMax];
SignalSet known;   // `actions` holds what the program wants
SignalSet caught;  // our real handler is in place
SignalSet kept;    // has been blocked by some thread
bool handlers_used;
SignalSet touched;  // the kernel may have been told of them

struct sigaction& action_of(int number) {
  struct sigaction& action = actions[number - 1];
  if ((known & signal_bit(number)) == 0) {
    known |= signal_bit(number);
    // What the process inherited; a handler can only be one of raddle's own.
    RADDLE_REAL(sigaction)(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN || is_crash_signal(number)) action = {};
  }
  return action;
}

bool is_ours_alone(int number) {
  return number == wire::kWatchdogSignal || number == SIGKILL || number == SIGSTOP;
}

bool ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

bool stops_by_default(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

bool has_handler(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

void on_outside_signal(int number, siginfo_t* info, void*) {
  note_outside_signal({number, info->si_code, info->si_pid, info->si_uid, info->si_value});
  note_signal_frame();
  g.access_budget = 0;  // a thread that is alone may come to no point, but to a tick
}

void call_handler(const struct sigaction& action, int number, siginfo_t* info, void* context) {
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
}

// What happens before every call of a handler; the action as it was.
struct sigaction begin_action(int number) {
  struct sigaction& kept_action = action_of(number);
  struct sigaction action = kept_action;
  if ((action.sa_flags & SA_RESETHAND) != 0) {
    kept_action.sa_handler = SIG_DFL;
    kept_action.sa_flags &= ~SA_SIGINFO;
  }
  return action;
}

SignalSet blocked_inside(const struct sigaction& action, int number) {
  SignalSet set = to_signal_set(action.sa_mask);
  return (action.sa_flags & SA_NODEFER) != 0 ? set : set | signal_bit(number);
}

// A real fault, in a program with a handler for it.
void on_program_fault(int number, siginfo_t* info, void* context) {
  if (!has_handler(action_of(number)) || off() || is_restoring())
    report_crash(number, info, context);
  note_signal_frame();
  struct sigaction action = begin_action(number);
  unsigned depth = handler_depth();
  enter_handler(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),
                blocked_inside(action, number));
  call_handler(action, number, info, context);
  leave_handler(depth);
}

// The kernel gets the current thread's mask.
void release_mask() {
  sigset_t mask = to_sigset(signal_mask(*g.current));
  RADDLE_REAL(sigprocmask)(SIG_SETMASK, &mask, nullptr);
}

void install(int number, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  touched |= signal_bit(number);
  RADDLE_REAL(sigaction)(number, &action, nullptr);
}

void catch_outside(int number) {
  if (is_ours_alone(number) || is_crash_signal(number) || (caught & signal_bit(number)) != 0)
    return;
  caught |= signal_bit(number);
  install(number, on_outside_signal, SA_RESTART | SA_ONSTACK);
}

void tell_kernel(int number, const struct sigaction& action) {
  if (is_ours_alone(number)) return;
  if (is_crash_signal(number)) {
    // Other threads may fault while this one's handler is interrupted: never deferred.
    if (has_handler(action))
      install(number, on_program_fault, (action.sa_flags & SA_ONSTACK) | SA_NODEFER);
    else if (running())
      install(number, report_crash, SA_ONSTACK | SA_NODEFER);
    return;
  }
  if (has_handler(action) || (kept & signal_bit(number)) != 0) return catch_outside(number);
  caught &= ~signal_bit(number);
  struct sigaction plain {};
  plain.sa_handler = action.sa_handler;
  touched |= signal_bit(number);
  RADDLE_REAL(sigaction)(number, &plain, nullptr);
}

}  // namespace

Disposition disposition_of(int number) {
  if (number == SIGKILL || number == SIGSTOP) return Disposition::end;
  const struct sigaction& action = action_of(number);
  if (has_handler(action)) return Disposition::handle;
  bool ignored = action.sa_handler == SIG_IGN || ignored_by_default(number);
  return ignored ? Disposition::ignore : Disposition::end;
}

std::uint64_t touched_signals() { return touched; }

bool catches_signals() { return caught != 0; }

bool signals_in_use() { return handlers_used; }

bool program_handles_crash(int number) { return has_handler(action_of(number)); }

struct sigaction program_action(int number) {
  return action_of(number);
}

void set_program_action(int number, const struct sigaction& action) {
  action_of(number) = action;
  if (has_handler(action)) handlers_used = true;
  if (disposition_of(number) == Disposition::ignore) discard_pending(number);
  tell_kernel(number, action);
}

void keep_when_blocked(SignalSet set) {
  for (SignalSet fresh = set & ~kept & ~kNeverBlocked; fresh != 0; fresh &= fresh - 1)
    if (int number = __builtin_ctzll(fresh) + 1; number != 32 && number != 33)  // libc's own
      catch_outside(number);
  kept |= set;
}

bool run_handler(const Signal& signal, bool is_step) {
  struct sigaction action = begin_action(signal.number);
  auto handler = reinterpret_cast<std::uintptr_t>(action.sa_handler);
  emit({.kind = OpKind::signal_handle,
        .size = static_cast<std::uint16_t>(signal.number),
        .site = site_of(handler + 1)},
       g.current->id, with_caller(), is_step ? g.event_flags : std::uint8_t{0});
  siginfo_t info{};
  info.si_signo = signal.number;
  info.si_code = signal.code;
  info.si_pid = signal.pid;
  info.si_uid = signal.uid;
  info.si_value = signal.value;
  ucontext_t context{};
  unsigned depth = handler_depth();
  enter_handler(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),
                blocked_inside(action, signal.number));
  call_handler(action, signal.number, &info, &context);
  leave_handler(depth);
  if (off()) release_mask();
  return (action.sa_flags & SA_RESTART) != 0;
}

void end_by_signal(const Signal& signal) {
  if (stops_by_default(signal.number))
    refuse("the program stops itself by a signal (SIGSTOP or SIGTSTP); raddle cannot run that");
  if (!running()) {
    struct sigaction plain {};
    RADDLE_REAL(sigaction)(signal.number, &plain, nullptr);
    RADDLE_REAL(raise)(signal.number);
  }
  bool aborts = signal.number == SIGABRT;
  end_run({.kind = aborts ? wire::VerdictKind::assertion : wire::VerdictKind::crash,
           .code = signal.number});
}

InheritedMask::InheritedMask() : controlled_(!off()) {
  if (!controlled_) return;
  sigset_t mask = to_sigset(signal_mask(*g.current));
  RADDLE_REAL(sigprocmask)(SIG_SETMASK, &mask, &before_);
}

InheritedMask::~InheritedMask() {
  if (controlled_) RADDLE_REAL(sigprocmask)(SIG_SETMASK, &before_, nullptr);
}

void release_signals() {
  struct sigaction plain {};
  RADDLE_REAL(sigaction)(wire::kWatchdogSignal, &plain, nullptr);
  for (int number = 1; number <= kSignalsMax; ++number) {
    SignalSet bit = signal_bit(number);
    bool touched = ((known | caught) & bit) != 0 || is_crash_signal(number);
    if (touched && !is_ours_alone(number))
      RADDLE_REAL(sigaction)(number, &action_of(number), nullptr);
  }
  release_mask();
}

}  // namespace raddle::runtime
