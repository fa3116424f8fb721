// SPDX-License-Identifier: Apache-2.0
//
// Waiting for what the kernel reports: descriptors, child processes, file locks. Target side.
//
// An I/O op is a point. Its thread is enabled exactly if the op would not block; this is looked at
// again after every I/O call of any thread, so what threads of the program do to each other
// through pipes and sockets is as deterministic as the rest. Nothing is looked at while no thread
// is at an I/O op.
//
// Inside and outside. A wait is inside if all its descriptors are pipes, socket pairs, eventfds,
// timerfds (or epolls of those) made in this run and the program has no child process that has not
// been waited for: then only its own threads can end it, and if none of them can run that is a
// deadlock. A wait for a file lock is inside if all locks on the file belong to this process.
// Everything else may be ended from outside: then the process really waits, and virtual time runs
// no faster than real time meanwhile.
//
// What comes from outside comes when nothing else can run (or everybody spins, or a long time has
// passed), and what child processes do comes together: that keeps runs as equal as the outside
// permits.
#pragma once

#include <poll.h>
#include <sys/wait.h>

#include "runtime/children.h"
#include "runtime/controller.h"

namespace raddle::runtime {

// What the current thread's next op waits for: exactly one of the three.
struct OutsideWait {
  pollfd* files = nullptr;  // one of them is ready; revents are overwritten
  nfds_t count = 0;
  bool for_child = false;  // as waitid(2): a child of this kind has changed state
  idtype_t child_kind = P_ALL;
  id_t child = 0;
  int child_states = WEXITED;
  int lock_file = -1;  // somebody may have released a lock: the caller tries again
};

// Passes the point of the current thread's next op when the op would not block. Returns false if it
// still would: because the deadline came first, or because a signal made it give up (me.eintr).
struct OutsideLimits {
  std::uint64_t deadline_ns = 0;  // 0: none
  Interruption interruption = Interruption::never;
  bool cancellation_point = false;
};
bool pass_outside_point(OutsideWait& wait, const OutsideLimits& limits);

// A signal handler is to run in a thread: it is at no I/O op until resume_outside(). Returns what
// it waited for, if it was at one.
OutsideWait* suspend_outside(Fiber& fiber);
void resume_outside(Fiber& fiber, OutsideWait& wait);

// Some thread has changed something that waits may depend on.
inline void note_outside_change() { g.io_changed = true; }

// For the controller. Requires: g.cares.io_waiting > 0.
// Recomputes who is enabled, if anything may have changed.
void look_outside();
// Nobody can run; `sleeper` is the next to be woken by time, if any. True: something has happened,
// look again. False: only the sleeper can go on, or nobody.
bool wait_outside(Fiber* sleeper);
// All threads that could run spin. True: the outside got a moment, time was dealt with.
bool pause_for_outside(Fiber* sleeper);

// The same where nobody waits for anything outside, but the program has children: they may send it
// signals, or write into memory that they share with it.
bool await_children(Fiber* sleeper);
bool pause_for_children(Fiber* sleeper);

// Some thread may have released a file lock.
void note_lock_change();

// Virtual timers behind descriptors (abi_timerfd.cc): the next deadline, or ~0; and firing what is
// due.
std::uint64_t next_timerfd_ns();
void fire_due_timerfds();

// Ends the run because of --stop-when-idle (abi_stdio.cc flushes what was printed).
[[noreturn]] void end_idle_run();

}  // namespace raddle::runtime
