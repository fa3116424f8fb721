// SPDX-License-Identifier: Apache-2.0
//
// What a campaign does differently where runs are made in place, in the process of a unit test:
// many at once, and those of interest again in a process of their own. Engine side.
#include <algorithm>

#include "base/rng.h"
#include "campaign/campaign.h"
#include "campaign/owned_trial.h"
#include "campaign/recording.h"

namespace raddle::campaign {

using facts::Outcome;

bool Campaign::step_batch(facts::Batch batch) {
  if (course_.options.budget.time_max.count() != 0)
    batch.header.deadline_ns = static_cast<std::uint64_t>(
        std::chrono::nanoseconds(
            (course_.begin + course_.options.budget.time_max).time_since_epoch())
            .count());
  batch.header.ignore_races = races_known_ ? 1 : 0;
  batch.header.ignore_limited = course_.outcome.result.limited >= kLimitedLookedAt ? 1 : 0;
  batch.header.ignore_infeasible =
      course_.options.schedule != ScheduleUse::none && first_infeasible_;
  batch.header.stop_at_good = course_.options.schedule == ScheduleUse::expect_infeasible;
  auto last = course_.trials->in_place()->run_batch(batch);
  if (!last) {
    course_.fail(last.error());
    return false;
  }
  schedules_ = last->schedules;
  const wire::Batch& made = batch.header;
  bool closer = made.end == wire::BatchEnd::noteworthy || made.end == wire::BatchEnd::failed;
  course_.runs += made.runs;
  course_.outcome.result.schedules += made.runs - made.limited;
  course_.outcome.result.limited += made.limited;
  course_.outcome.result.steps += made.steps;
  course_.outcome.result.infeasible += made.infeasible;
  batching_->observe_batch(batch, made.runs - (closer ? 1 : 0));
  if (!closer) return true;
  facts::Plan plan = batch.plan;
  if (made.enumerate == 0) plan.header.seed = run_seed(made.seed, made.first + made.runs - 1);
  Trial trial;
  trial.run = *last;
  trial.judgement = facts::judge(*last, course_.trials->surroundings().expect_exit);
  if (!judge_feasibility(plan, trial)) look_closer(plan, *last);
  return true;
}

// A run that could not satisfy the event schedule is none of those that the test is about; if none
// should, one that did is a finding. True: the run has been dealt with.
bool Campaign::judge_feasibility(const facts::Plan& plan, const Trial& trial) {
  if (course_.options.schedule == ScheduleUse::none) return false;
  if (course_.is_infeasible(trial)) {
    ++course_.outcome.result.infeasible;
    if (!first_infeasible_) first_infeasible_ = strict_plan(plan, trial.run.choices);
    course_.search.observe(trial.run);
    return true;
  }
  bool good = trial.judgement.outcome == Outcome::ok;
  if (!good || course_.options.schedule != ScheduleUse::expect_infeasible) return false;
  facts::Plan strict = strict_plan(plan, trial.run.choices);
  course_.search.observe(trial.run);
  auto again = course_.trials->repeat(strict);
  if (!again) {
    course_.fail(again.error());
    return true;
  }
  again->judgement = {Outcome::finding, facts::FindingKind::schedule_violation};
  facts::Evidence feasible;
  feasible.kind = facts::FindingKind::schedule_violation;
  again->about = feasible;
  teller_.tell(plan, *again, {course_.runs});
  return true;
}

// No run could satisfy the schedule: that is what there is to report.
void Campaign::report_infeasible() {
  const facts::CampaignResult& result = course_.outcome.result;
  bool all = result.infeasible == result.schedules && !course_.has_failed();
  if (!all || course_.options.schedule == ScheduleUse::expect_infeasible || course_.outcome.failure)
    return;
  auto again = course_.trials->repeat(*first_infeasible_);
  if (!again) return course_.fail(again.error());
  if (again->judgement.outcome == Outcome::finding)
    teller_.tell(*first_infeasible_, *again, {course_.runs});
}

// A run is of interest: makes it again in a process of its own, with events, and judges that.
void Campaign::look_closer(const facts::Plan& plan, const facts::Run& run, bool shows_more) {
  Trial first;
  first.run = run;
  first.judgement = facts::judge(run, course_.trials->surroundings().expect_exit);
  OwnedTrial original(first);
  bool failed = original.trial.judgement.outcome == Outcome::finding;
  if (failed) {
    // A failure that is known already need not be made again, unless the run shows more than that.
    Sighting seen{original.trial, course_.runs, course_.trials->executor().modules(), {}, {}};
    std::string signature = course_.desk.describe(seen).signature();
    if (!in_place_signatures_.insert(signature).second && !shows_more) {
      course_.listener.on_seen_again(signature);
      return course_.search.observe(original.trial.run);
    }
  }
  facts::Plan strict = strict_plan(plan, original.trial.run.choices);
  auto again = course_.trials->repeat(strict);
  if (!again) return course_.fail(again.error());
  course_.listener.on_run(again->run);
  inspector_.note(plan, *again, false);
  again->run.ticket = run.ticket;
  // A run of a batch has no events.
  course_.search.observe(original.events.empty() ? again->run : original.trial.run);
  std::size_t findings_before = course_.outcome.result.findings.size();
  OwnedTrial shown(*again);
  bool fails_again = shown.trial.judgement.outcome == Outcome::finding;
  if (fails_again) teller_.tell(plan, shown.trial, {course_.runs});
  inspector_.count_known(strict, shown.trial, &plan);
  inspector_.tell_new(plan, strict, shown.trial);
  if (failed && !fails_again) teller_.tell(plan, original.trial, {course_.runs});
  // Known races would stop every batch.
  bool races = std::ranges::any_of(shown.trial.evidence, [](const facts::Evidence& evidence) {
    return evidence.kind.severity == facts::Severity::race;
  });
  if (races && course_.outcome.result.findings.size() == findings_before) races_known_ = true;
}

}  // namespace raddle::campaign
