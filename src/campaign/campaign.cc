// SPDX-License-Identifier: Apache-2.0
//
// The loop of a campaign. Engine side.
#include "campaign/campaign.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>

#include "campaign/owned_trial.h"
#include "campaign/unused_events.h"

namespace raddle::campaign {

using facts::Outcome;

Campaign::Campaign(const CampaignOptions& options, search::Search& search, Trials& trials,
                   Desk& desk, Listener& listener, std::span<Trials* const> others)
    : course_{options, search, desk, listener, &trials, search::ask<search::Measured>(search)},
      batching_(search::ask<search::Batching>(search)),
      teller_(course_, suspects_),
      inspector_(course_, teller_, suspects_),
      jobs_(course_, trials, others) {
  course_.outcome.result.program = options.program.argv;
}

std::uint64_t Campaign::behaviours() const {
  return course_.distinct_runs().value_or(std::max(behaviours_[0].size(), behaviours_[1].size()));
}

CampaignOutcome Campaign::run() {
  auto log = SearchLog::open();
  if (log)
    log_ = std::move(*log);
  else
    course_.fail(log.error());
  kept_state_ = course_.begin = Course::Clock::now();
  while (!stops() && (jobs_.several() ? step_jobs() : step())) {
    report_progress();
    keep_state();
    inspector_.try_suspects(false);
  }
  while (finish_job()) report_progress();
  inspector_.try_suspects(true);
  inspector_.tell_left_over();
  end_log();
  if (first_infeasible_) report_infeasible();
  sum_up();
  return std::move(course_.outcome);
}

void Campaign::sum_up() {
  facts::CampaignResult& result = course_.outcome.result;
  result.seconds = course_.seconds();
  result.behaviours = behaviours();
  result.guarantee = course_.search.guarantee();
  if (course_.measured != nullptr) {
    result.size = course_.measured->size();
    result.estimate = course_.measured->estimate();
  }
  result.complete = search::is_complete(course_.search) && !course_.broken();
  // Runs that came to a standstill, or were cut, have not passed what they would have.
  bool all_ended = result.infeasible == 0 && result.limited == 0;
  if (!course_.has_failed() && !course_.outcome.failure && all_ended) {
    result.unused_events = unused_events(schedules_);
    for (const std::string& sentence : result.unused_events) course_.listener.on_note(sentence);
  }
}

bool Campaign::stops() {
  const CampaignOptions& options = course_.options;
  if (course_.asked_to_stop()) course_.outcome.interrupted = true;
  if (course_.broken()) return true;
  if (!options.keep_going && course_.has_stopping_finding()) return true;
  if (options.budget.schedules_max != 0 && course_.runs >= options.budget.schedules_max)
    return true;
  if (options.budget.time_max.count() != 0 &&
      Course::Clock::now() - course_.begin >= options.budget.time_max)
    return true;
  if (options.enough) course_.outcome.result.stopped = options.enough();
  return !course_.outcome.result.stopped.empty();
}

// False when there is nothing more to do.
bool Campaign::step() {
  // Batches have no events.
  bool each = course_.options.show_all_runs || course_.trials->needs(detect::kAllAccesses);
  if (batching_ != nullptr && !each && course_.trials->in_place() != nullptr) {
    std::uint64_t most = course_.options.budget.schedules_max;
    std::uint64_t left = most == 0 ? UINT64_MAX : most - course_.runs;
    if (auto batch = batching_->next_batch(left)) return step_batch(std::move(*batch));
  }
  auto plan = course_.search.next();
  if (!plan) {
    course_.fail_with_search();
    return false;
  }
  auto trial = course_.trials->run(*plan);
  if (!trial) {
    course_.fail(trial.error());
    return false;
  }
  return look_at(*plan, *trial);
}

// False when there is nothing more to do, for now: runs may be under way.
bool Campaign::step_jobs() {
  jobs_.start();
  return !course_.broken() && finish_job();
}

// Looks at the run that ends first; false if none is under way.
bool Campaign::finish_job() {
  auto ended = jobs_.finish();
  if (!ended) return false;
  if (ended->trial)
    look_at(ended->plan, *ended->trial);
  else
    course_.fail(ended->trial.error());
  return true;
}

// False when there is nothing more to do.
bool Campaign::look_at(const facts::Plan& plan, Trial& trial) {
  ++course_.runs;
  schedules_ = trial.run.schedules;
  if (plan.quiet_races)
    std::erase_if(trial.evidence, [](const facts::Evidence& evidence) {
      return evidence.kind.severity == facts::Severity::race;
    });
  account(trial);
  course_.listener.on_trial(plan, trial);
  inspector_.note(plan, trial);
  inspector_.count_known(plan, trial);
  if (judge_feasibility(plan, trial)) return true;
  // Runs in place, and those of searches that look at less, are made again to be told about.
  bool in_place = course_.trials->in_place() != nullptr;
  bool failed = trial.judgement.outcome == Outcome::finding;
  bool sparse = plan.header.racing_only != 0 && plan.header.races != 0;
  bool cut = trial.judgement.outcome == Outcome::limited &&
             course_.outcome.result.limited <= kLimitedLookedAt;
  bool shows_more = inspector_.has_new(plan, trial);
  if ((in_place && failed) || (sparse && (failed || cut || shows_more))) {
    look_closer(plan, trial.run, shows_more);
    return true;
  }
  course_.search.observe(trial.run);
  bool first = course_.runs == 1;
  std::vector<wire::Event> events;
  if (first) events.assign(trial.run.events.begin(), trial.run.events.end());
  bool comparable = first && !trial.run.timed_out;

  std::optional<OwnedTrial> shown;  // to tell of a finding, the program is run again
  if (shows_more) shown.emplace(trial);
  switch (trial.judgement.outcome) {
    case Outcome::finding:
      teller_.tell(plan, trial, {course_.runs});
      break;
    case Outcome::unsupported:
      course_.fail({fmt::format("{} cannot be run under control: {}",
                                course_.options.program.argv[0], trial.run.verdict.message),
                    kExitCannotRun});
      return false;
    case Outcome::diverged:
      note_divergence(trial);
      break;
    case Outcome::ok:
    case Outcome::limited:
    case Outcome::blocked:
      break;
  }
  if (shown) inspector_.tell_new(plan, plan, shown->trial);
  if (comparable && !stops()) check_determinism(plan, events);
  return true;
}

void Campaign::account(const Trial& trial) {
  course_.listener.on_run(trial.run);
  facts::CampaignResult& result = course_.outcome.result;
  bool only_slow = trial.judgement.outcome == Outcome::finding &&
                   trial.judgement.kind == facts::FindingKind::lockstep_livelock;
  if (trial.judgement.outcome == Outcome::limited || only_slow)
    ++result.limited;
  else if (trial.judgement.outcome == Outcome::blocked)
    ++result.blocked;
  else if (trial.judgement.outcome != Outcome::diverged)
    ++result.schedules;
  result.steps += trial.run.steps;
  if (course_.distinct_runs()) return;
  happens_before_.begin();
  for (const wire::Event& event : trial.run.events) happens_before_.on_event(event);
  // Runs of searches have `sets`, and other events: what they have in common is not to be seen.
  behaviours_[trial.run.sets.empty() ? 0 : 1].insert(happens_before_.hash());
}

void Campaign::check_determinism(const facts::Plan& plan, const std::vector<wire::Event>& first) {
  auto again = course_.trials->repeat(plan);
  if (!again) {
    course_.fail(again.error());
    return;
  }
  course_.listener.on_run(again->run);
  if (again->run.timed_out) return;
  std::span<const wire::Event> second = again->run.events;
  auto same = [](const wire::Event& a, const wire::Event& b) {
    return memcmp(&a, &b, sizeof a) == 0;
  };
  auto [a, b] = std::mismatch(first.begin(), first.end(), second.begin(), second.end(), same);
  if (a == first.end() && b == second.end()) return;
  // One of the two may be a step without a place, such as the end of a thread: name both.
  auto describe = [this](const wire::Event& event) {
    std::string text = fmt::format("T{} {}", event.thread, wire::op_word(event.kind));
    if (event.site == 0) return text;
    return text + " at " + course_.desk.place(event.site, course_.trials->executor().modules());
  };
  std::string once = a != first.end() ? describe(*a) : "the run was over";
  std::string then = b != second.end() ? describe(*b) : "the run was over";
  if (once == then) then += " with another result";
  std::string& text = course_.outcome.result.nondeterminism;
  text =
      fmt::format("the same plan led to different runs, first at step {}: {}, the second time {}",
                  a != first.end() ? a->step : b->step, once, then);
  course_.listener.on_note(
      text +
      "; the program depends on something raddle does not control (time stamp "
      "counter, addresses, files, uninitialised memory, ...), so findings may not "
      "replay");
}

// A run that was to follow the choices of an earlier one and came to others.
void Campaign::note_divergence(const Trial& trial) {
  std::string& text = course_.outcome.result.nondeterminism;
  if (!text.empty()) return;
  text = fmt::format("a run {}", describe_end(trial));
  course_.listener.on_note(text + "; the program depends on something raddle does not control");
}

void Campaign::keep_state() {
  if (!course_.options.keep_state || state_lost_) return;
  if (Course::Clock::now() - kept_state_ < course_.options.keep_state_every) return;
  Status kept = course_.options.keep_state();
  kept_state_ = Course::Clock::now();  // not before: what takes long is done less often
  state_lost_ = !kept;
  if (!kept)
    course_.listener.on_note("the state of the search cannot be kept: " + kept.error().message);
}

void Campaign::end_log() {
  if (!log_) return;
  log_->add(course_.runs, course_.seconds(), course_.size());
  if (Status closed = log_->close(); !closed) course_.fail(closed.error());
}

void Campaign::report_progress() {
  if (log_ && log_->due(course_.runs)) log_->add(course_.runs, course_.seconds(), course_.size());
  course_.listener.on_progress(
      {course_.runs, behaviours(), course_.outcome.result.findings.size(), course_.seconds()});
}

}  // namespace raddle::campaign
