// SPDX-License-Identifier: Apache-2.0
//
// The controller: publish the pending op, ask filters and policy, switch. Target side.
//
// Every op of the program goes through pass_point(): it returns when the thread has been chosen to
// carry out the op, and from then until the thread's next op nobody else runs. A blocking op is one
// step, taken only when the object grants it.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

using model::PendingOp;
using wire::OpKind;

// What becomes of a wait when a signal handler ran in the middle of it.
enum class Interruption : std::uint8_t {
  never,        // it goes on
  restartable,  // it goes on if all handlers ask for that (SA_RESTART), else gives up: EINTR
  always,       // it gives up
};

// What an op waits for.
struct Wait {
  SyncObject* object = nullptr;   // must grant the op; null: nothing has to
  bool notification = false;      // must be notified first (condvar, futex, join, sleep)
  SyncObject* queue = nullptr;    // where the notifier finds the thread; null: it knows
  std::uint64_t deadline_ns = 0;  // virtual time; 0: waits for ever
  Interruption interruption = Interruption::never;
  bool cancellation_point = false;  // a cancelled thread ends here instead
};

// The current thread's next op, to be filled in: the one that policies will see. It is built where
// it stays, since copying it is a good part of what a point costs.
inline PendingOp& next_op(OpKind kind, SiteId site) {
  PendingOp& op = view_of(*g.current).op;
  op.kind = kind;
  op.order = 0;
  op.size = 0;
  op.site = site;
  op.address = op.second = 0;
  op.other = 0;
  op.serial = ++g.serial;
  return op;
}

// The second half of an op that takes two steps.
inline void continue_as(PendingOp& op, OpKind kind) {
  op.kind = kind;
  op.serial = ++g.serial;
}

// Debuggers stop in these: their code must not be taken apart and partly moved into callers.
#ifdef __clang__
#define RADDLE_IN_ONE_PIECE __attribute__((noinline))
#else
#define RADDLE_IN_ONE_PIECE __attribute__((noipa))
#endif

// Returns when the current thread may carry out its next op. Afterwards me.timed_out tells whether
// its deadline came first, me.eintr whether a signal made it give up.
RADDLE_IN_ONE_PIECE void pass_point(const Wait& wait);
// The same for an op that waits for an object and for nothing else, as most locks do.
RADDLE_IN_ONE_PIECE void pass_point(SyncObject& object);
// The same for an op that can always be carried out.
RADDLE_IN_ONE_PIECE void pass_point();

// The rest of a point for a thread that was chosen not for its op, which waits for `object` if that
// is not null, but for the signals that came before it.
void pass_interrupted_point(SyncObject* object);

// The policy does not want to go on.
[[noreturn]] void leave_path();

// The object's state changed: recomputes which of its waiters are enabled.
void refresh(SyncObject& object);

// A thread waiting for a notification gets it: from now on it contends for its object, if any.
void notify(Fiber& fiber);

// A thread that is waiting or about to do something runs its signal handlers first, or ends if it
// has been cancelled. Requires: the thread is at a point.
void interrupt(Fiber& fiber);

// A thread in a condvar's wait stops waiting for the notification: it has been cancelled, and takes
// its mutex back to end.
void stop_awaiting(Fiber& fiber);

// Forgets the waits of the current thread that were suspended by code below `frame`, which was left
// by longjmp.
void drop_suspended_below(std::uintptr_t frame);

// A new or otherwise ready thread may be chosen from now on.
void enable(Fiber& fiber);

// A thread at an I/O op can carry it out now, or no longer.
void set_outside_ready(Fiber& fiber, bool ready);

// The current thread gives way: it loses to every thread that can run and has not run since. That
// counts as so many turns of a loop that waits (spin.h).
void mark_yielding(unsigned turns = 1);

// A thread's deadline has come: it goes on as if notified, with timed_out set.
void expire(Fiber& fiber);

// The current thread, a new fiber, begins with its first step.
void begin_first_step();

// The current thread is finished. Another one goes on, on the stack that is returned (leave_to()).
LeftStack* finish_current();

// The first thread has done its part: returns when all others have ended.
void await_others();

// A value choice: a number in [0, bound).
std::uint32_t choose_value(std::uint32_t bound);

// Waiting threads of an object, oldest first.
template <class Visit>
void for_each_waiter(const SyncObject& object, Visit visit) {
  for (ThreadId id = object.first_waiter; id != kNoThread;) {
    Fiber& fiber = g.fibers[id];
    id = fiber.next_waiter;
    visit(fiber);
  }
}

// Somebody who awaits a notification of an object: a thread in its queue, or one that runs a signal
// handler and will go on waiting after it.
struct Sleeper {
  Fiber* fiber;
  SuspendedWait* suspended;  // null: it is in the queue
  std::uint32_t ticket() const { return suspended != nullptr ? suspended->ticket : fiber->ticket; }
};
void notify(const Sleeper& sleeper);
// The thread that waits for the end of `ended` need not wait any longer.
void notify_joiner(Fiber& joiner, ThreadId ended);

// Threads in the queue, oldest first, then those that were interrupted.
template <class Visit>
void for_each_sleeper(const SyncObject& object, Visit visit) {
  for_each_waiter(object, [&](Fiber& fiber) { visit(Sleeper{&fiber, nullptr}); });
  if (__builtin_expect(g.suspended_total == 0, 1)) return;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    Fiber& fiber = g.fibers[id];
    for (unsigned i = 0; i < fiber.suspended_count; ++i)
      if (SuspendedWait& wait = fiber.suspended[i];
          wait.queue == &object && wait.awaits && !wait.signalled)
        visit(Sleeper{&fiber, &wait});
  }
}

}  // namespace raddle::runtime
