// SPDX-License-Identifier: Apache-2.0
//
// Course: what the parts of a campaign have in common: what was asked for, who is there, and how
// far it has come. Engine side.
#pragma once

#include <chrono>

#include "campaign/listener.h"
#include "campaign/options.h"
#include "search/abilities.h"

namespace raddle::campaign {

struct Course {
  using Clock = std::chrono::steady_clock;

  const CampaignOptions& options;
  search::Search& search;
  Desk& desk;
  Listener& listener;
  Trials* trials;                    // of the run that is looked at
  const search::Measured* measured;  // the search; null: it is none
  CampaignOutcome outcome = {};
  Clock::time_point begin = Clock::now();
  std::uint64_t runs = 0;  // of the search

  // Something of our own went wrong; an interrupt is no failure.
  void fail(const Error& error);
  // The search has no further plan: perhaps something is in its way.
  void fail_with_search();
  bool broken() const { return outcome.failure || outcome.interrupted; }
  // One that ends the campaign, unless it is to keep going. Neither a race nor a warning need: what
  // they lead to may still be found.
  bool has_stopping_finding() const;
  // Anything but warnings that do not count.
  bool has_failed() const;
  // A run that could not satisfy the event schedule, where the test is about those that can.
  bool is_infeasible(const Trial& trial) const;
  // The user has, or the time is up for what comes after the search: a quarter of what it had.
  bool asked_to_stop() const;
  bool late() const;
  double seconds() const;
  facts::SearchSize size() const;
  std::optional<std::uint64_t> distinct_runs() const;
};

}  // namespace raddle::campaign
