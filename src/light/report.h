// SPDX-License-Identifier: Apache-2.0
//
// What the light library says about a schedule that is violated or cannot go on. Inside the program
// under test (RADDLE_LIGHT), under the lock of the enforcer.
#pragma once

#include "dsl/schedule_monitor.h"
#include "dsl/text_buffer.h"
#include "light/threads.h"

namespace raddle::light {

// What a report is about.
struct Situation {
  const char* schedule_name = "";
  const dsl::ScheduleMonitor* monitor = nullptr;
  dsl::BlockedQuery is_blocked;
};

// What a thread is about to pass.
dsl::Firing firing_of(const dsl::ScheduleMonitor& monitor, const Thread& thread,
                      dsl::EventKind kind, const char* name);

// Where the paused thread is: named events by their name, others "start@t" and "end@t".
dsl::Firing paused_firing(const dsl::ScheduleMonitor& monitor, const Thread& thread);

// A circle of threads that wait for each other goes through this one.
bool waits_for_itself(const Thread& thread);

void put_violation(dsl::TextBuffer& out, const Situation& situation, const Thread& thread,
                   const dsl::Firing& firing, const char* event);
void put_deadlock(dsl::TextBuffer& out, const Situation& situation);
void put_hang(dsl::TextBuffer& out, const Situation& situation, std::int64_t seconds);
// Orderings that had nothing to order; nothing is written if there are none.
void put_untried(dsl::TextBuffer& out, const Situation& situation);

}  // namespace raddle::light
