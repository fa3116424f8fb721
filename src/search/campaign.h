// SPDX-License-Identifier: Apache-2.0
//
// Campaign: the loop that plans, runs, analyses, remembers and stops. Engine side.
//
// What the user sees lies above this layer and is reached through CampaignListener, so that a
// campaign can be tested without a terminal, a symbolizer or a disk.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/happens_before.h"
#include "facts/campaign_result.h"
#include "search/lock_cycles.h"
#include "search/search.h"
#include "search/search_log.h"
#include "search/trial.h"

namespace raddle::search {

// A run that showed something wrong.
struct Sighting {
  const Trial& trial;
  std::uint64_t schedule_index = 0;  // from 1
  std::span<const wire::Module> modules;
  std::string output;
  std::string error_output;
};

struct Progress {
  std::uint64_t runs = 0;
  std::uint64_t behaviours = 0;
  std::uint64_t findings = 0;
  double seconds = 0;
};

class CampaignListener {
 public:
  virtual ~CampaignListener() = default;

  // After every trial of the campaign and every repetition.
  virtual void on_run(const facts::Run&) {}
  // After every trial that a plan of the search led to, before it is looked at closely. Its run is
  // valid until this returns.
  virtual void on_trial(const facts::Plan&, const Trial&) {}
  virtual void on_progress(const Progress&) {}
  // Something the user should know that is not a finding.
  virtual void on_note(const std::string& note) = 0;
  // Asked when a run cannot be repeated: what the runs before may have left behind that it depends
  // on, as a sentence; "" if nothing is known.
  virtual std::string left_behind() { return ""; }

  virtual facts::Finding describe(const Sighting& sighting) = 0;
  // Equal for two findings that are the same bug.
  virtual std::string signature(const facts::Finding& finding) = 0;
  // Whether the user has said that this finding does not count.
  virtual bool suppressed(const facts::Finding&) { return false; }
  // Makes the finding durable; fills in id and directory.
  virtual Status keep(facts::Finding& finding, const Sighting& sighting,
                      const facts::Schedule& schedule) = 0;
  virtual void on_finding(const facts::Finding&, const std::string& /*signature*/) {}
  // A further run has shown a finding of this signature; perhaps one that did not count.
  virtual void on_seen_again(const std::string& /*signature*/) {}
  // A source place, or the best substitute.
  virtual std::string place(SiteId site, std::span<const wire::Module> modules) = 0;
};

// What a test says about an event schedule (docs/event-schedules.md).
enum class ScheduleUse : std::uint8_t {
  none,               // nothing: a run that it brings to a standstill is a finding
  filter,             // only runs that satisfy it count; it is a finding if there are none
  expect_infeasible,  // there must be no such run
};

struct CampaignOptions {
  launch::Program program;
  std::string test;                       // of the program, for schedules; empty: all of it
  std::uint64_t schedules_max = 0;        // 0: no limit
  std::chrono::milliseconds time_max{0};  // 0: no limit
  bool keep_going = false;
  ScheduleUse schedule = ScheduleUse::none;
  // Where runs can be made so: many at once, without events. Without it, each is looked at.
  bool batches = true;
  bool lock_order = true;  // orders of locks that could deadlock are tried by directed runs
  facts::Failing failing;  // which findings count
  // Races and warnings that count end the campaign like other findings do.
  bool all_stop = false;
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

// Runs that were cut may be livelocks; after so many, the rest are only counted.
inline constexpr std::uint64_t kLimitedLookedAt = 3;

class Campaign {
 public:
  // `others`: trials that can be made at the same time, if the search is concurrent(); findings are
  // looked at one after the other.
  Campaign(const CampaignOptions& options, Search& search, Trials& trials,
           CampaignListener& listener, std::span<Trials* const> others = {});

  // Ends at the first finding (unless told to keep going), at a limit, at an interrupt, when the
  // search has no further plan, or at a failure.
  CampaignOutcome run();

 private:
  // Where one of several runs at a time is made.
  struct Job {
    Trials* trials;
    std::optional<facts::Plan> plan;  // under way
    std::uint64_t begun = 0;          // in which order
  };

  // The run that showed a finding: of the search, or else beside it.
  struct Origin {
    std::uint64_t run;           // how many the search had made
    std::uint64_t directed_run;  // 0: one of the search
  };

  bool stops();
  bool step();
  bool look_at(const facts::Plan& plan, Trial& trial);
  void start_jobs();
  bool step_jobs();
  bool finish_job();
  bool step_batch(facts::Batch batch);
  void look_closer(const facts::Plan& plan, const facts::Run& run, bool shows_more = false);
  bool judge_feasibility(const facts::Plan& plan, const Trial& trial);
  bool is_infeasible(const Trial& trial) const;
  void report_infeasible();
  std::uint64_t runs_left() const;
  void account(const Trial& trial);
  void check_determinism(const facts::Plan& plan, const std::vector<wire::Event>& first);
  std::string handle_finding(const facts::Plan& plan, const Trial& trial) {
    return handle_finding(plan, trial, {runs_, 0});
  }
  std::string handle_finding(const facts::Plan& plan, const Trial& trial, const Origin& origin);
  void count_known_races(const Trial& trial);
  void note_cycles(const facts::Plan& plan, const Trial& trial);
  void try_cycles(bool all);
  bool confirm(const Suspicion& suspicion);
  void warn(const Suspicion& suspicion);
  bool has_new_violations(const facts::Plan& plan, const Trial& trial) const;
  void handle_violations(const facts::Plan& plan, const Trial& trial);
  std::string what_became_of(const facts::Run& run) const;
  void note_unprotected(const facts::Plan& plan, const Trial& trial);
  void warn_of_unprotected();
  std::string second_opinion(const facts::Evidence& evidence) const;
  bool has_new_races(const Trial& trial) const;
  void handle_races(const facts::Plan& plan, const Trial& trial);
  bool has_stopping_finding() const;
  bool has_failed() const;
  std::optional<Trial> repeat(const facts::Plan& plan, const Trial& trial);
  void note_not_reproduced(const Trial& again, facts::Finding& finding);
  void note_divergence(const Trial& trial);
  void fail(const Error& error);
  void end_log();
  void report_progress();
  void keep_state();
  double seconds() const;
  std::uint64_t behaviours() const;

  const CampaignOptions& options_;
  Search& search_;
  Trials* trials_;  // of the run that is looked at
  CampaignListener& listener_;

  CampaignOutcome outcome_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point kept_state_;
  std::optional<SearchLog> log_;
  bool state_lost_ = false;  // it could not be kept
  std::uint64_t runs_ = 0;
  std::vector<Job> jobs_;  // empty: one run after the other
  std::uint64_t begun_ = 0;
  std::optional<facts::Plan> first_infeasible_;
  bool races_known_ = false;                      // batches need not stop at them any more
  std::span<const wire::ScheduleUse> schedules_;  // of the last run
  analysis::HappensBefore happens_before_;
  std::unordered_set<std::uint64_t> behaviours_[2];  // of ordinary runs, of systematic ones
  std::set<std::string> signatures_;
  std::set<std::string> in_place_signatures_;
  LockCycles cycles_;
  std::vector<Suspicion> unconfirmed_;              // by directed runs
  std::map<std::uint64_t, Suspicion> unprotected_;  // data without a lock, by unprotected_key()
  // Pairs of places that have been looked at, and the signatures of their findings.
  std::map<std::pair<SiteId, SiteId>, std::string> races_;
  std::map<std::array<SiteId, 3>, std::string> violations_;  // of atomicity, likewise
};

}  // namespace raddle::search
