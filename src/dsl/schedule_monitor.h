// SPDX-License-Identifier: Apache-2.0
//
// ScheduleMonitor: which events a schedule admits now. Both sides; pure: who is blocked is asked of
// the caller, who also does the waiting.
//
// The semantics are those of the flags: an event has occurred or has not, and
//
//   e      holds once e has occurred
//   [e]    holds while e has occurred and the thread that passed it is blocked now
//   c -> e admits e whenever c holds
//
// so that an event is admitted when the conditions of all its orderings hold (Jagannath 2012,
// figure 3.10; by its trace semantics "a && b -> c" would never admit c). If an event without index
// occurs several times, [e] is about the thread that passed it last.
#pragma once

#include <string_view>

#include "base/ids.h"
#include "dsl/schedule_table.h"

namespace raddle::dsl {

// Names are numbers here: those of one schedule.
using NameId = std::uint16_t;
inline constexpr NameId kNoName = 0xffff;  // the schedule does not mention it

// A thread is about to pass an event, or passes it.
struct Firing {
  EventKind kind = EventKind::named;
  NameId name = kNoName;  // of start and end too: event_name()
  NameId thread_name = kNoName;
  ThreadId thread = kNoThread;
};

// Whether a thread waits in a synchronisation or I/O of the program.
struct BlockedQuery {
  bool (*ask)(void* context, ThreadId thread) = nullptr;
  void* context = nullptr;
  bool operator()(ThreadId thread) const { return ask(context, thread); }
};

// An atom of a condition that does not hold.
struct MissingAtom {
  EventIndex event = 0;
  bool occurred = false;  // it is a block event, and its thread (`thread`) is not blocked
  ThreadId thread = kNoThread;
};

class ScheduleMonitor {
 public:
  // From now on about this schedule, of which nothing has occurred. It must outlive its use.
  void begin(const Schedule& schedule);
  // The same schedule again, of which nothing has occurred.
  void restart();

  // kNoName: the schedule does not mention it.
  NameId event_name(EventKind kind, std::string_view name) const;
  NameId thread_name(std::string_view name) const;
  std::string_view name_of(NameId event_name) const;

  // Whether there is an ordering that could ever keep the event back, or that counts it.
  bool mentions(const Firing& firing) const;
  bool admits(const Firing& firing, const BlockedQuery& blocked) const;
  // The orderings that keep it back; returns how many, at most `capacity` are written.
  unsigned failing(const Firing& firing, const BlockedQuery& blocked, std::uint16_t* orderings,
                   unsigned capacity) const;
  // The atoms that do not hold, of a condition that does not.
  unsigned missing(std::uint16_t ordering, const BlockedQuery& blocked, MissingAtom* atoms,
                   unsigned capacity) const;
  void fire(const Firing& firing);

  // How often an event has occurred: of its name and thread, whatever its index.
  std::uint32_t count(EventIndex event) const { return counts_[event]; }
  bool occurred(EventIndex event) const;
  bool has_block_events() const { return has_block_events_; }
  const Schedule& schedule() const { return *schedule_; }

 private:
  bool matches(EventIndex event, const Firing& firing) const;
  bool keeps_back(const Ordering& ordering, const Firing& firing,
                  const BlockedQuery& blocked) const;
  bool holds(const Instruction& atom, const BlockedQuery& blocked) const;

  const Schedule* schedule_ = nullptr;
  bool has_block_events_ = false;
  NameId names_[kEventsMax] = {};    // the first event of the same kind and name
  NameId threads_[kEventsMax] = {};  // the first event with the same thread; kNoName: any thread
  std::uint32_t counts_[kEventsMax] = {};
  ThreadId thread_of_[kEventsMax] = {};  // who passed it; valid once it has occurred
};

}  // namespace raddle::dsl
