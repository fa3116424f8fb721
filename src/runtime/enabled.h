// SPDX-License-Identifier: Apache-2.0
//
// Which threads can run: the waiters of each object, and the set of enabled threads. Target side.
// Used by the controller and its short ways alone; inline, because every switch goes through it.
//
// invariant: a live thread that is not running is enabled exactly if its pending op could be
// carried out now; `g.enabled` always holds the current thread unless it is about to wait.
#pragma once

#include "model/sync_object.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

inline void enqueue(Fiber& fiber, SyncObject& object) {
  fiber.queued_on = &object;
  fiber.next_waiter = kNoThread;
  fiber.previous_waiter = object.last_waiter;
  if (object.last_waiter == kNoThread)
    object.first_waiter = fiber.id;
  else
    g.fibers[object.last_waiter].next_waiter = fiber.id;
  object.last_waiter = fiber.id;
}

inline void dequeue(Fiber& fiber) {
  SyncObject& object = *fiber.queued_on;
  if (fiber.previous_waiter == kNoThread)
    object.first_waiter = fiber.next_waiter;
  else
    g.fibers[fiber.previous_waiter].next_waiter = fiber.next_waiter;
  if (fiber.next_waiter == kNoThread)
    object.last_waiter = fiber.previous_waiter;
  else
    g.fibers[fiber.next_waiter].previous_waiter = fiber.previous_waiter;
  fiber.queued_on = nullptr;
}

inline void set_enabled(Fiber& fiber, bool enabled) {
  if (enabled == g.enabled.contains(fiber.id)) return;
  if (enabled) {
    g.enabled.add(fiber.id);
    view_of(fiber).enabled_since = g.step;
  } else {
    g.enabled.remove(fiber.id);
  }
}

inline bool is_cond_wait(const Fiber& fiber) {
  return view_of(fiber).op.kind == wire::OpKind::cond_wake;
}

inline bool grants_pending(const Fiber& fiber) {
  // A timed lock that gives up needs nothing from its object; a condvar's waiter needs the mutex.
  if (fiber.timed_out && !is_cond_wait(fiber)) return true;
  return fiber.object == nullptr ||
         model::grants(*fiber.object, view_of(fiber).op.kind, fiber.id, fiber.ticket);
}

// Giving up is possible while somebody else holds the object: that is what time-outs are for.
inline bool can_time_out(const Fiber& fiber) {
  return !is_cond_wait(fiber) || grants_pending(fiber);
}

inline bool can_run(const Fiber& fiber) { return !fiber.on_cond && grants_pending(fiber); }

inline void leave_notification(Fiber& fiber) {
  if (!fiber.on_cond) return;
  fiber.on_cond = false;
  if (is_cond_wait(fiber)) --g.cond_waiters;
}

// The thread no longer waits for a notification: it contends for its object, if it has one.
inline void contend(Fiber& fiber) {
  leave_notification(fiber);
  if (fiber.queued_on != nullptr) dequeue(fiber);
  if (fiber.object != nullptr) enqueue(fiber, *fiber.object);
  set_enabled(fiber, can_run(fiber));
}

}  // namespace raddle::runtime
