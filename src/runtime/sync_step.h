// SPDX-License-Identifier: Apache-2.0
//
// What all synchronisation functions of the ABI share: describe the op, pass the point, carry it
// out on the model, record it. Target side.
#pragma once

#include <time.h>

#include "runtime/controller.h"
#include "runtime/emit.h"
#include "runtime/heap.h"
#include "runtime/locate.h"
#include "runtime/objects.h"
#include "runtime/order.h"
#include "runtime/spin.h"

namespace raddle::runtime {

inline PendingOp& sync_op(OpKind kind, SyncObject& object, std::uintptr_t pc) {
  PendingOp& op = next_op(kind, site_of(pc));
  op.address = object.address;
  g.current->op_object = &object;
  object.users |= model::user_bit(g.current->id);
  return op;
}

// Whether the operation touches its object. Who has been let go by a condition variable, a barrier
// or a futex leaves it without another look: whoever let them go may have destroyed it since.
constexpr bool touches_object(OpKind kind) {
  return kind != OpKind::cond_wake && kind != OpKind::barrier_leave &&
         kind != OpKind::futex_resume && kind != OpKind::futex_wake;
}

// The current thread carries out an operation on the object: it must still be there.
inline void check_object(const SyncObject& object, const PendingOp& op) {
  bool gone = object.freed || is_dead_stack(object.address);
  if (__builtin_expect(gone, 0) && touches_object(op.kind) && running())
    report_gone_object(object.address, op.site);
}

// A call that signals interrupt is about to be made: a handler that runs now does not interrupt it.
// Only worth a step in programs that have handlers.
inline void enter_wait(std::uintptr_t pc) {
  PendingOp& op = next_op(OpKind::signal_wait, site_of(pc));
  pass_point({.cancellation_point = true});
  emit_step(op, with_caller());
}

inline void emit_sync(const PendingOp& op, bool failed = false) {
  const SyncObject* object = g.current->op_object;
  bool about_object = object != nullptr && object->address == op.address;
  if (about_object) check_object(*object, op);
  emit_step(op, with_caller(), failed);
  if (about_object && races_wanted() && running()) order_sync(op.kind, *object, failed);
}

// For a search: others may use it, in another run.
inline void note_destroyed_alone(SyncObject& object, std::uintptr_t pc) {
  bool noted = g.record.sets != nullptr && g.thread_count > 1;
  if (noted) emit(sync_op(OpKind::object_destroy, object, pc), g.current->id, with_caller(), 0);
}

// An object is about to be destroyed: a step, since others may be about to use it.
inline void pass_destroy_point(SyncObject& object, std::uintptr_t pc) {
  if (!running()) return;
  if (g.live_count == 1) return note_destroyed_alone(object, pc);
  const PendingOp& op = sync_op(OpKind::object_destroy, object, pc);
  note_progress();
  pass_point();
  emit_sync(op);
}

// Locks of all kinds, for abi_* files and for condvars. Return 0 or an errno.
int lock_mutex(SyncObject& mutex, OpKind kind, std::uint64_t deadline_ns, std::uintptr_t pc);
int try_lock_mutex(SyncObject& mutex, std::uintptr_t pc);
int unlock_mutex(SyncObject& mutex, std::uintptr_t pc);
// The rest of an unlock, whose point has been passed.
int finish_unlock(SyncObject& mutex, const PendingOp& op);

// Gives up the initialisers of pthread_once whose frames lie at or below `frame`: they were left by
// an exception.
void abandon_onces_below(std::uintptr_t frame);

// The current thread ends: robust mutexes that it holds become inconsistent, the next owner is
// told.
void abandon_robust_mutexes();

// A moment on one of the program's clocks as virtual time; never 0.
std::uint64_t deadline_of(clockid_t clock, const timespec& when);
// A span from now.
std::uint64_t deadline_after(const timespec& span);
bool is_valid(const timespec& time);
// Whether threads can wait for moments on this clock: libc refuses all others.
inline bool is_wait_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

}  // namespace raddle::runtime
