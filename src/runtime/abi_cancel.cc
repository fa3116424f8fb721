// SPDX-License-Identifier: Apache-2.0
//
// pthread_cancel and what belongs to it. Target side. A thread that can be cancelled between any
// two instructions (asynchronous cancellation) is cancelled at its points, whatever it does there:
// it could have come that far. One that computes and never comes to a point has no end here, and is
// refused when the time is over (signals.cc).
//
// Cancellation points are those of glibc: the calls in which threads wait, all input and output,
// and pthread_testcancel. A thread ends at one when it comes to it, or while it waits there; a call
// that has had its effect returns.
#include <errno.h>
#include <pthread.h>

#include "runtime/cancel.h"
#include "runtime/real.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;

namespace raddle::runtime {

bool cancels_possible;

void pass_cancellation_point(std::uintptr_t pc) {
  act_on_cancel(pc);
  if (!cancels_possible || g.live_count == 1 || g.current->cancel_disabled) return;
  PendingOp& op = next_op(OpKind::tick, site_of(pc));
  pass_point({.cancellation_point = true});
  emit_step(op, with_caller());
}

void end_by_cancel(SiteId site, StepEvent event) {
  Fiber& me = *g.current;
  emit({.kind = OpKind::signal_handle, .site = site}, me.id, with_caller(),
       event == StepEvent::missing ? g.event_flags : std::uint8_t{0});
  me.cancel_disabled = true;
  me.result = PTHREAD_CANCELED;
  RADDLE_REAL(pthread_exit)(PTHREAD_CANCELED);
  __builtin_unreachable();
}

}  // namespace raddle::runtime

RADDLE_EXPORT int pthread_cancel(pthread_t thread) {
  if (off()) return RADDLE_REAL(pthread_cancel)(thread);
  Fiber* target = fiber_of(thread);
  if (target == nullptr || target->state == FiberState::reaped) return ESRCH;
  PendingOp& op = next_op(OpKind::thread_cancel, site_of(RADDLE_PROGRAM_CALLER));
  op.other = target->id;
  note_progress();
  pass_point();
  emit_step(op, with_caller(target->id));
  if (target->state != FiberState::alive) return 0;
  target->cancel_requested = true;
  if (races_wanted() && target != g.current) order_hand_over(*target);
  if (target == g.current) {
    if (target->cancel_async) act_on_cancel(RADDLE_PROGRAM_CALLER);
    return 0;
  }
  if (!cancel_due(*target) || !(target->cancellable || target->cancel_async)) return 0;
  if (view_of(*target).op.kind == OpKind::cond_wake)
    stop_awaiting(*target);
  else
    interrupt(*target);
  return 0;
}

RADDLE_EXPORT int pthread_setcancelstate(int state, int* old) {
  if (off()) return RADDLE_REAL(pthread_setcancelstate)(state, old);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Fiber& me = *g.current;
  if (old != nullptr) *old = me.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  me.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  if (me.cancel_async) act_on_cancel(RADDLE_PROGRAM_CALLER);
  return 0;
}

RADDLE_EXPORT int pthread_setcanceltype(int type, int* old) {
  if (off()) return RADDLE_REAL(pthread_setcanceltype)(type, old);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Fiber& me = *g.current;
  if (old != nullptr)
    *old = me.cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  me.cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (!me.cancel_async) return 0;
  act_on_cancel(RADDLE_PROGRAM_CALLER);
  // It could end between two instructions that are no points: nothing can be promised.
  if (running() && g.live_count > 1) g.shared->reservations |= raddle::wire::kStruckAtPoints;
  return 0;
}

RADDLE_EXPORT void pthread_testcancel() {
  if (off()) return RADDLE_REAL(pthread_testcancel)();
  PendingOp& op = next_op(OpKind::yield, site_of(RADDLE_PROGRAM_CALLER));
  note_failure(op);  // a loop around it waits to be cancelled
  pass_point();
  emit_sync(op);
  act_on_cancel(RADDLE_PROGRAM_CALLER);
}
