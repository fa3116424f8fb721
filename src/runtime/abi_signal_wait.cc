// SPDX-License-Identifier: Apache-2.0
//
// Waiting for signals: sigwait and its relatives, pause, sigsuspend. Target side. None of them goes
// on after a handler has run.
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "runtime/cancel.h"
#include "runtime/real.h"
#include "runtime/signal_actions.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;

namespace {

int fail(int error) {
  errno = error;
  return -1;
}

// Waits until one of the set is there and takes it. Returns 0, EINTR or EAGAIN (time is up).
int take_signal(const sigset_t& wanted, std::uint64_t deadline_ns, Signal* signal,
                std::uintptr_t pc) {
  SignalSet set = to_signal_set(wanted);
  Fiber& me = *g.current;
  keep_when_blocked(set);
  for (;;) {
    act_on_cancel(pc);
    PendingOp& op = next_op(OpKind::signal_wait, site_of(pc));
    note_progress();
    bool ready = (pending_signals(me) & set) != 0;
    if (!ready) begin_signal_wait(set);
    pass_point({.notification = !ready,
                .deadline_ns = ready ? 0 : deadline_ns,
                .interruption = Interruption::always,
                .cancellation_point = true});
    *signal = end_signal_wait();
    bool taken = signal->number != 0 || take_pending(me, set, signal);
    op.size = static_cast<std::uint16_t>(taken ? signal->number : 0);
    emit_sync(op, !taken);
    if (taken) return 0;
    if (me.eintr) return EINTR;
    if (me.timed_out) return EAGAIN;
  }
}

void fill(siginfo_t* info, const Signal& signal) {
  if (info == nullptr) return;
  *info = {};
  info->si_signo = signal.number;
  info->si_code = signal.code;
  info->si_pid = signal.pid;
  info->si_uid = signal.uid;
  info->si_value = signal.value;
}

int wait_info(const sigset_t* set, siginfo_t* info, std::uint64_t deadline_ns, std::uintptr_t pc) {
  Signal signal{};
  int error = take_signal(*set, deadline_ns, &signal, pc);
  if (error != 0) return fail(error);
  fill(info, signal);
  return signal.number;
}

// Waits for a handler to have run. The signal may also come just before the wait begins, so
// entering it is a step of its own.
void wait_for_handler(const SignalSet* mask, std::uintptr_t pc) {
  Fiber& me = *g.current;
  act_on_cancel(pc);
  PendingOp& op = next_op(OpKind::signal_wait, site_of(pc));
  note_progress();
  pass_point({.cancellation_point = true});
  emit_sync(op);
  SignalSet before = signal_mask(me);
  if (mask != nullptr) {
    keep_when_blocked(*mask);
    set_signal_mask(me, *mask);
  }
  if (mask == nullptr || deliver_signals().count == 0) {
    PendingOp& wait = next_op(OpKind::signal_wait, site_of(pc));
    do
      pass_point(
          {.notification = true, .interruption = Interruption::always, .cancellation_point = true});
    while (!me.eintr && running());
    emit_sync(wait);
  }
  if (mask == nullptr) return;
  set_signal_mask(me, before);
  deliver_signals();
}

}  // namespace

RADDLE_EXPORT int sigwait(const sigset_t* set, int* number) {
  if (off()) return RADDLE_REAL(sigwait)(set, number);
  Signal signal{};
  int error;
  do error = take_signal(*set, 0, &signal, RADDLE_PROGRAM_CALLER);
  while (error == EINTR);
  *number = signal.number;
  return error;
}

RADDLE_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (off()) return RADDLE_REAL(sigwaitinfo)(set, info);
  return wait_info(set, info, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* span) {
  if (off()) return RADDLE_REAL(sigtimedwait)(set, info, span);
  if (span != nullptr && !is_valid(*span)) return fail(EINVAL);
  std::uint64_t deadline = span == nullptr ? 0 : deadline_after(*span);
  return wait_info(set, info, deadline, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pause() {
  if (off()) return RADDLE_REAL(pause)();
  wait_for_handler(nullptr, RADDLE_PROGRAM_CALLER);
  return fail(EINTR);
}

// The header calls it __xpg_sigpause.
RADDLE_EXPORT int sigpause(int number) {
  static int (*real)(int);
  if (off()) return real_function(&real, "__xpg_sigpause")(number);
  if (!is_signal(number)) return fail(EINVAL);
  SignalSet set = signal_mask(*g.current) & ~signal_bit(number);
  wait_for_handler(&set, RADDLE_PROGRAM_CALLER);
  return fail(EINTR);
}

RADDLE_EXPORT int sigsuspend(const sigset_t* mask) {
  if (off()) return RADDLE_REAL(sigsuspend)(mask);
  SignalSet set = to_signal_set(*mask);
  wait_for_handler(&set, RADDLE_PROGRAM_CALLER);
  return fail(EINTR);
}
