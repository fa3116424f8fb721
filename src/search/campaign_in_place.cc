// SPDX-License-Identifier: Apache-2.0
//
// What a campaign does differently where runs are made in place, in the process of a unit test:
// many at once, and those of interest again in a process of their own. Engine side.
#include "base/rng.h"
#include "search/campaign.h"
#include "search/owned_trial.h"
#include "search/recording.h"

namespace raddle::search {
std::uint64_t Campaign::runs_left() const {
  return options_.schedules_max == 0 ? UINT64_MAX : options_.schedules_max - runs_;
}

bool Campaign::step_batch(facts::Batch batch) {
  if (options_.time_max.count() != 0)
    batch.header.deadline_ns = static_cast<std::uint64_t>(
        std::chrono::nanoseconds((begin_ + options_.time_max).time_since_epoch()).count());
  batch.header.ignore_races = races_known_ ? 1 : 0;
  batch.header.ignore_limited = outcome_.result.limited >= kLimitedLookedAt ? 1 : 0;
  batch.header.ignore_infeasible = options_.schedule != ScheduleUse::none && first_infeasible_;
  batch.header.stop_at_good = options_.schedule == ScheduleUse::expect_infeasible;
  auto last = trials_->executor().run_batch(batch);
  if (!last) {
    fail(last.error());
    return false;
  }
  schedules_ = last->schedules;
  const wire::Batch& made = batch.header;
  bool closer = made.end == wire::BatchEnd::noteworthy || made.end == wire::BatchEnd::failed;
  runs_ += made.runs;
  outcome_.result.schedules += made.runs - made.limited;
  outcome_.result.limited += made.limited;
  outcome_.result.steps += made.steps;
  outcome_.result.infeasible += made.infeasible;
  search_.observe_batch(batch, made.runs - (closer ? 1 : 0));
  if (!closer) return true;
  facts::Plan plan = batch.plan;
  if (made.enumerate == 0) plan.header.seed = run_seed(made.seed, made.first + made.runs - 1);
  Trial trial;
  trial.run = *last;
  trial.judgement = judge(*last, trials_->surroundings().expect_exit);
  if (!judge_feasibility(plan, trial)) look_closer(plan, *last);
  return true;
}

bool Campaign::is_infeasible(const Trial& trial) const {
  return options_.schedule != ScheduleUse::none && trial.judgement.outcome == Outcome::finding &&
         trial.judgement.kind == facts::FindingKind::schedule_deadlock;
}

// A run that could not satisfy the event schedule is none of those that the test is about; if none
// should, one that did is a finding. True: the run has been dealt with.
bool Campaign::judge_feasibility(const facts::Plan& plan, const Trial& trial) {
  if (options_.schedule == ScheduleUse::none) return false;
  if (is_infeasible(trial)) {
    ++outcome_.result.infeasible;
    if (!first_infeasible_) first_infeasible_ = strict_plan(plan, trial.run.choices);
    search_.observe(trial.run);
    return true;
  }
  bool good = trial.judgement.outcome == Outcome::ok;
  if (!good || options_.schedule != ScheduleUse::expect_infeasible) return false;
  facts::Plan strict = strict_plan(plan, trial.run.choices);
  search_.observe(trial.run);
  auto again = trials_->repeat(strict);
  if (!again) {
    fail(again.error());
    return true;
  }
  again->judgement = {Outcome::finding, facts::FindingKind::schedule_violation};
  facts::Evidence feasible;
  feasible.kind = facts::FindingKind::schedule_violation;
  again->evidence = {feasible};
  handle_finding(plan, *again);
  return true;
}

// No run could satisfy the schedule: that is what there is to report.
void Campaign::report_infeasible() {
  const facts::CampaignResult& result = outcome_.result;
  bool all = result.infeasible == result.schedules && !has_failed();
  if (!all || options_.schedule == ScheduleUse::expect_infeasible || outcome_.failure) return;
  auto again = trials_->repeat(*first_infeasible_);
  if (!again) return fail(again.error());
  if (again->judgement.outcome == Outcome::finding) handle_finding(*first_infeasible_, *again);
}

// A run in place is of interest: makes it again in a process of its own, with events, and judges
// that.
void Campaign::look_closer(const facts::Plan& plan, const facts::Run& run, bool shows_more) {
  Trial first;
  first.run = run;
  first.judgement = judge(run, trials_->surroundings().expect_exit);
  OwnedTrial original(first);
  if (first.judgement.outcome == Outcome::finding) {
    // A failure that is known already need not be made again, unless the run shows more than that.
    Sighting seen{original.trial, runs_, trials_->executor().modules(), {}, {}};
    std::string signature = listener_.signature(listener_.describe(seen));
    if (!in_place_signatures_.insert(signature).second && !shows_more) {
      listener_.on_seen_again(signature);
      return search_.observe(original.trial.run);
    }
  }
  auto again = trials_->repeat(strict_plan(plan, original.trial.run.choices));
  if (!again) return fail(again.error());
  listener_.on_run(again->run);
  note_cycles(plan, *again);
  again->run.ticket = run.ticket;
  // A run of a batch has no events.
  search_.observe(original.events.empty() ? again->run : original.trial.run);
  std::size_t findings_before = outcome_.result.findings.size();
  OwnedTrial shown(*again);
  if (shown.trial.judgement.outcome == Outcome::finding) handle_finding(plan, shown.trial);
  handle_races(plan, shown.trial);
  handle_violations(plan, shown.trial);
  if (shown.trial.judgement.outcome != Outcome::finding &&
      original.trial.judgement.outcome == Outcome::finding)
    handle_finding(plan, original.trial);
  // Known races would stop every batch.
  if (!shown.trial.races.empty() && outcome_.result.findings.size() == findings_before)
    races_known_ = true;
}

}  // namespace raddle::search
