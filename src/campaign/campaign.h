// SPDX-License-Identifier: Apache-2.0
//
// Campaign: the loop that plans, runs, looks, remembers and stops. Engine side.
//
// What it does with a run that shows something lies in parts of its own: Teller makes findings,
// Inspector deals with what detectors see, Jobs makes several runs at a time. They share a Course.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/happens_before.h"
#include "campaign/course.h"
#include "campaign/inspector.h"
#include "campaign/jobs.h"
#include "campaign/search_log.h"
#include "campaign/suspects.h"
#include "campaign/teller.h"

namespace raddle::campaign {

// Runs that were cut may be livelocks; after so many, the rest are only counted.
inline constexpr std::uint64_t kLimitedLookedAt = 3;

class Campaign {
 public:
  // `others`: trials that can be made at the same time, if the search is Concurrent; findings are
  // looked at one after the other.
  Campaign(const CampaignOptions& options, search::Search& search, Trials& trials, Desk& desk,
           Listener& listener, std::span<Trials* const> others = {});

  // Ends at the first finding (unless told to keep going), at a limit, at an interrupt, when the
  // search has no further plan, or at a failure.
  CampaignOutcome run();

 private:
  bool stops();
  bool step();
  bool step_jobs();
  bool finish_job();
  bool step_batch(facts::Batch batch);
  bool look_at(const facts::Plan& plan, Trial& trial);
  void look_closer(const facts::Plan& plan, const facts::Run& run, bool shows_more = false);
  bool judge_feasibility(const facts::Plan& plan, const Trial& trial);
  void report_infeasible();
  void account(const Trial& trial);
  void check_determinism(const facts::Plan& plan, const std::vector<wire::Event>& first);
  void note_divergence(const Trial& trial);
  void report_progress();
  void keep_state();
  void end_log();
  void sum_up();
  std::uint64_t behaviours() const;

  Course course_;
  search::Batching* batching_;  // null: it makes no batches
  Suspects suspects_;
  Teller teller_;
  Inspector inspector_;
  Jobs jobs_;
  Course::Clock::time_point kept_state_;
  bool state_lost_ = false;  // it could not be kept
  std::optional<SearchLog> log_;
  std::optional<facts::Plan> first_infeasible_;
  bool races_known_ = false;                      // batches need not stop at them any more
  std::span<const wire::ScheduleUse> schedules_;  // of the last run
  analysis::HappensBefore happens_before_;
  std::unordered_set<std::uint64_t> behaviours_[2];  // of ordinary runs, of systematic ones
  std::set<std::string> in_place_signatures_;
};

}  // namespace raddle::campaign
