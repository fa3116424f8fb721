// SPDX-License-Identifier: Apache-2.0
//
// What a campaign is asked for, and what it amounts to. Engine side.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "facts/campaign_result.h"
#include "launch/program.h"

namespace raddle::campaign {

// What a test says about an event schedule (docs/event-schedules.md).
enum class ScheduleUse : std::uint8_t {
  none,               // nothing: a run that it brings to a standstill is a finding
  filter,             // only runs that satisfy it count; it is a finding if there are none
  expect_infeasible,  // there must be no such run
};

// What a campaign may use up.
struct Budget {
  std::uint64_t schedules_max = 0;        // 0: no limit
  std::chrono::milliseconds time_max{0};  // 0: no limit
};

struct CampaignOptions {
  launch::Program program;
  std::string test;  // of the program, for schedules; empty: all of it
  Budget budget;
  bool keep_going = false;
  ScheduleUse schedule = ScheduleUse::none;
  facts::Failing failing;  // which findings count
  // Races and warnings that count end the campaign like other findings do.
  bool all_stop = false;
  // Races that the C++ library has with itself are findings, too.
  bool library_races = false;
  // Somebody looks at the events of every run: none are made at once without them.
  bool show_all_runs = false;
  const volatile std::sig_atomic_t* interrupts = nullptr;  // counts; may be null
  // Asked between runs; may be null: why the campaign has done enough, "" if it has not.
  std::function<std::string()> enough;
  // Called so often while the campaign lasts; may be null. An error becomes a note, once.
  std::function<Status()> keep_state;
  std::chrono::seconds keep_state_every{60};
};

struct CampaignOutcome {
  facts::CampaignResult result;
  std::optional<Error> failure;  // what ended the campaign early, if something did
  bool interrupted = false;
};

}  // namespace raddle::campaign
