// SPDX-License-Identifier: Apache-2.0
//
// Engine nouns around one execution: the plan handed to an executor and the run it yields.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "facts/event_stacks.h"
#include "facts/steering.h"
#include "wire/batch.h"
#include "wire/event.h"
#include "wire/plan.h"
#include "wire/shared_block.h"
#include "wire/verdict.h"

namespace raddle::facts {

// A plan with its variable-length parts.
struct Plan {
  wire::Plan header;
  Steering steering;
  std::shared_ptr<const std::vector<SiteId>> sites;  // sorted; may be null (none)
  wire::Interest interest = {};
  std::shared_ptr<const std::vector<wire::ThreadWeight>> weights;  // by thread; may be null (none)
  // With header.races: they are looked for so that the search knows what races, but not told of,
  // and not looked for when the run is repeated.
  bool quiet_races = false;
  // To exit is no point, and ends the run at once: how schedules of older versions are followed.
  bool sudden_exit = false;
  std::uint64_t ticket = 0;  // the search's name for it (search/search.h); no part of the run
};

// Many runs at once (wire/batch.h): the plan is that of all of them but for the seed.
struct Batch {
  Plan plan;
  wire::Batch header;
};

// One execution of the program. Everything in it is a copy or stays valid until the executor's next
// run (events, choices).
struct Run {
  std::span<const wire::Event> events;
  std::span<const wire::ChoiceRecord> choices;
  std::span<const wire::ChoiceSets> sets;     // of the choices; empty unless the plan is systematic
  std::shared_ptr<const EventStacks> stacks;  // of the events; null unless the plan asked for them
  // Event schedules of this and all earlier runs of the executor; those without text are none.
  std::span<const wire::ScheduleUse> schedules;
  wire::Verdict verdict{};
  std::vector<wire::ThreadReport> threads;  // filled for every verdict but an exit with code 0
  int wait_status = 0;                      // as waitpid(2) gives it
  std::uint32_t steps = 0;
  std::uint32_t thread_count = 0;
  std::uint32_t preemptions = 0;
  std::uint32_t fairness_cuts = 0;
  bool timed_out = false;                 // ended by the watchdog
  bool too_many_threads = false;          // more than `sets` have room for
  std::array<SiteId, 2> late_sites = {};  // wire::SharedHeader::late_sites
  bool accesses_lost = false;             // wire::kAccessesLost
  bool end_forced = false;                // wire::kEndForced or kStruckAtPoints
  bool recurred = false;                  // the plan's recurrence_from: a state has come back
  std::uint64_t ticket = 0;               // of its plan, where several are under way at a time
};

}  // namespace raddle::facts
