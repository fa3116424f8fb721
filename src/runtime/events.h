// SPDX-License-Identifier: Apache-2.0
//
// Event schedules under control: which threads are kept back before their events. Target side.
//
// An event is a point. While a schedule is in force, a thread at an event that the schedule does
// not admit is not enabled: it is never chosen, so nothing is polled. Whom the schedule admits is
// looked at again before every choice while there are threads at events of a schedule; otherwise
// g.cares.at_events is 0, which the one test for everything unusual in a choice covers.
//
// Blocked, in the sense of [e], is a thread that is not enabled because of an operation of the
// program: synchronisation or I/O, with or without a time-out. Threads that sleep, that are kept
// back by the schedule or that have ended are not.
#pragma once

#include <string_view>

#include "dsl/schedule_monitor.h"
#include "dsl/text_buffer.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

// A thread at an event, valid while it is there.
struct AtEvent {
  const char* name;
  dsl::EventKind kind;
  bool mentioned;  // by the schedule: it may be kept back
  dsl::Firing firing;
};

struct ScheduleMode {
  bool passive;            // nobody is kept back
  bool expect_infeasible;  // a run that satisfies it is a failure
  bool filter;             // a run that cannot satisfy it does not count
};

struct EventSchedule {
  bool in_force;
  ScheduleMode mode;
  std::uint32_t generation;  // advances when another schedule comes into force, or none
  char name[wire::kScheduleNameMax];
  dsl::Schedule table;
  dsl::ScheduleMonitor monitor;
  ThreadSet waiting;      // threads at an event that the schedule mentions
  std::uint32_t at_used;  // of the following
  AtEvent at[kMaxThreads];
};
extern EventSchedule events;

// Forgets the schedule and all that has happened, but not what it was compiled to: the next run may
// begin with the same one.
void reset_events();

// From now on this schedule. Refuses the program if the text is none.
void begin_schedule(const char* name, const char* text, const ScheduleMode& mode);
void end_schedule();
// The schedule has brought the run to a standstill, and that is no finding: ends the run quietly.
bool standstill_is_fine();
[[noreturn]] void end_infeasible_run();

// The current thread passes an event when the schedule admits it.
void pass_event(dsl::EventKind kind, const char* name, std::uintptr_t pc);

// start@t and end@t of the current thread, if the schedule mentions them.
void pass_thread_start(std::uintptr_t pc);
void pass_thread_end();
// A thread gets a name: with it it starts, as far as schedules are concerned, unless it has not
// made its first step yet. Names that are too long are cut.
void name_fiber(Fiber& fiber, const char* name, std::uintptr_t pc);

// Recomputes which of the threads at events are enabled. Requires: g.cares.at_events > 0.
void review_events();

// Whether the schedule keeps the thread back now.
bool is_paused(const Fiber& fiber);
bool anybody_paused();
dsl::BlockedQuery blocked_query();

// The event that a thread is at, as schedules write it.
void put_event_of(dsl::TextBuffer& out, const Fiber& fiber);
// Why threads are paused, a clause for each (pause_words.cc).
void explain_pauses(dsl::TextBuffer& out);
// Which orderings the event violates.
void explain_violation(dsl::TextBuffer& out, const Fiber& fiber, const AtEvent& here);

}  // namespace raddle::runtime
