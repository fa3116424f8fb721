// SPDX-License-Identifier: Apache-2.0
//
// Plan: how the next run is to be scheduled. Engine to target; together with program and input it
// determines the run completely. What it says about single choices (wire/steering.h), point sites
// and thread weights are of variable length and lie in their own areas of the shared block.
#pragma once

#include "wire/op.h"

namespace raddle::wire {

enum class Points : std::uint8_t {
  sync,    // synchronisation and atomics
  shared,  // and plain accesses at the plan's point sites
  all,     // and every plain access
};

enum class Timers : std::uint8_t {
  idle,  // the clock advances only when nothing else can run
  any,   // the earliest pending timer may fire at every point
};

inline constexpr unsigned kPolicyNameMax = 24;
inline constexpr unsigned kInterestingMax = 4;

// What earlier runs say about the thread of that id: how many events urw and surw have to expect
// from it and from everybody that it creates, and who creates it (kNoThread: nobody).
struct ThreadWeight {
  std::uint32_t events;
  ThreadId creator;
  std::uint16_t reserved;
  friend constexpr bool operator==(const ThreadWeight&, const ThreadWeight&) = default;
};
static_assert(sizeof(ThreadWeight) == 8);

// What the events are that the weights count. A part of the plan, but no part of struct Plan, so
// that what follows that struct in the shared block stays where older versions look for it.
struct Interest {
  std::uint32_t weight_count = 0;    // threads of which the weight is known
  std::uint32_t place_count = 0;     // 0: every event is interesting
  Location places[kInterestingMax];  // surw: the variables and objects whose events are
};
static_assert(sizeof(Interest) == 40);

struct Plan {
  char policy[kPolicyNameMax] = {};  // a name of policy/registry.cc
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;             // pct: depth of the bug looked for
  std::uint32_t expected_steps = 0;    // pct: upper bound k on the steps of a run
  std::uint32_t expected_threads = 0;  // upper bound n on the threads of a run
  std::uint32_t max_steps = 0;
  std::uint32_t spurious = 0;         // spurious wake-ups allowed in the run
  std::uint32_t recurrence_from = 0;  // step from which states are compared; 0: they are not
  std::uint32_t site_count = 0;       // sites at which plain accesses are points
  std::uint32_t site_version = 0;     // changes whenever the set of sites does
  Points points = Points::shared;
  Timers timers = Timers::idle;
  std::uint8_t reserved_too = 0;
  std::uint8_t stacks = 0;          // every event is followed by the call stack that led to it
  std::uint8_t races = 1;           // data races are looked for
  std::uint8_t stop_when_idle = 0;  // the run ends when only outside input could let it go on
  std::uint8_t systematic = 0;      // ChoiceSets and pending operations are recorded
  // With `races`: only data that races, or meets a free, is looked for, not all that is shared.
  std::uint8_t racing_only = 0;
};
static_assert(sizeof(Plan) == 72);

}  // namespace raddle::wire
