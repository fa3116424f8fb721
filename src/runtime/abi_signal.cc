// SPDX-License-Identifier: Apache-2.0
//
// Actions, masks and sending of signals. Target side. The waiting for them is in
// abi_signal_wait.cc, the model in signal_queue.h.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/signal_actions.h"
#include "runtime/sync_step.h"
#include "runtime/threads.h"

using namespace raddle::runtime;

namespace {

constexpr bool is_libc_signal(int number) { return number == 32 || number == 33; }

int fail(int error) {
  errno = error;
  return -1;
}

Signal from_myself(int number, int code, sigval value = {}) {
  return {number, code, getpid(), getuid(), value};
}

// Sends to one of the program's threads, or to the process (null).
int send(Fiber* target, const Signal& signal, std::uintptr_t pc) {
  PendingOp& op = next_op(OpKind::signal_send, site_of(pc));
  op.other = target != nullptr ? target->id : raddle::kNoThread;
  op.size = static_cast<std::uint16_t>(signal.number);
  note_progress();
  pass_point();
  emit_step(op, with_caller(op.other));
  // It may have ended meanwhile: then nothing happens, as natively.
  if (target != nullptr && target->state != FiberState::alive) return 0;
  post_signal(target, signal);
  deliver_signals();
  return 0;
}

int send_to_thread(pthread_t thread, const Signal& signal, std::uintptr_t pc) {
  Fiber* target = fiber_of(thread);
  if (target == nullptr || target->state == FiberState::reaped) return ESRCH;
  if (signal.number < 0 || signal.number > kSignalsMax || is_libc_signal(signal.number))
    return EINVAL;
  return signal.number == 0 ? 0 : send(target, signal, pc);
}

int change_mask(int how, const sigset_t* wanted, sigset_t* old) {
  Fiber& me = *g.current;
  SignalSet mask = signal_mask(me);
  if (old != nullptr) *old = to_sigset(mask);
  if (wanted == nullptr) return 0;
  SignalSet set = to_signal_set(*wanted);
  if (how == SIG_BLOCK)
    mask |= set;
  else if (how == SIG_UNBLOCK)
    mask &= ~set;
  else if (how == SIG_SETMASK)
    mask = set;
  else
    return EINVAL;
  if (how != SIG_UNBLOCK) keep_when_blocked(set);
  set_signal_mask(me, mask);
  deliver_signals();
  return 0;
}

sighandler_t set_simple_handler(int number, sighandler_t handler, int flags) {
  struct sigaction action {
  }, old{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

RADDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (off()) return RADDLE_REAL(sigaction)(number, action, old);
  bool fixed = number == SIGKILL || number == SIGSTOP;
  if (!is_signal(number) || is_libc_signal(number) || (fixed && action != nullptr))
    return fail(EINVAL);
  struct sigaction before = program_action(number);
  if (action != nullptr) set_program_action(number, *action);
  if (old != nullptr) *old = before;
  return 0;
}

RADDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) {
  if (off()) return RADDLE_REAL(signal)(number, handler);
  return set_simple_handler(number, handler, SA_RESTART);
}

// What signal() is in programs compiled for System V behaviour.
RADDLE_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) {
  if (off()) return RADDLE_REAL(__sysv_signal)(number, handler);
  return set_simple_handler(number, handler, SA_RESETHAND | SA_NODEFER);
}

RADDLE_EXPORT int sigprocmask(int how, const sigset_t* wanted, sigset_t* old) {
  if (off()) return RADDLE_REAL(sigprocmask)(how, wanted, old);
  int error = change_mask(how, wanted, old);
  return error == 0 ? 0 : fail(error);
}

RADDLE_EXPORT int pthread_sigmask(int how, const sigset_t* wanted, sigset_t* old) {
  if (off()) return RADDLE_REAL(pthread_sigmask)(how, wanted, old);
  return change_mask(how, wanted, old);
}

RADDLE_EXPORT int sigpending(sigset_t* set) {
  if (off()) return RADDLE_REAL(sigpending)(set);
  const Fiber& me = *g.current;
  *set = to_sigset(pending_signals(me) & signal_mask(me));
  return 0;
}

RADDLE_EXPORT int raise(int number) {
  if (off()) return RADDLE_REAL(raise)(number);
  int error = send_to_thread(g.current->thread_pointer, from_myself(number, SI_TKILL),
                             RADDLE_PROGRAM_CALLER);
  return error == 0 ? 0 : fail(error);
}

RADDLE_EXPORT int pthread_kill(pthread_t thread, int number) {
  if (off()) return RADDLE_REAL(pthread_kill)(thread, number);
  return send_to_thread(thread, from_myself(number, SI_TKILL), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_sigqueue(pthread_t thread, int number, sigval value) {
  if (off()) return RADDLE_REAL(pthread_sigqueue)(thread, number, value);
  return send_to_thread(thread, from_myself(number, SI_QUEUE, value), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int tgkill(pid_t group, pid_t tid, int number) {
  if (off() || group != getpid()) return RADDLE_REAL(tgkill)(group, tid, number);
  Fiber* target = fiber_with_tid(tid);
  if (target == nullptr) return fail(ESRCH);
  int error =
      send_to_thread(target->thread_pointer, from_myself(number, SI_TKILL), RADDLE_PROGRAM_CALLER);
  return error == 0 ? 0 : fail(error);
}

RADDLE_EXPORT int kill(pid_t process, int number) {
  if (off() || process != getpid() || number == 0) return RADDLE_REAL(kill)(process, number);
  if (!is_signal(number)) return fail(EINVAL);
  return send(nullptr, from_myself(number, SI_USER), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int sigqueue(pid_t process, int number, const sigval value) {
  if (off() || process != getpid() || number == 0)
    return RADDLE_REAL(sigqueue)(process, number, value);
  if (!is_signal(number)) return fail(EINVAL);
  return send(nullptr, from_myself(number, SI_QUEUE, value), RADDLE_PROGRAM_CALLER);
}
