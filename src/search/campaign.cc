// SPDX-License-Identifier: Apache-2.0
//
// The loop of a campaign. Engine side.
#include "search/campaign.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>

#include "analysis/lock_order.h"
#include "facts/event_hash.h"
#include "search/owned_trial.h"
#include "search/unused_events.h"
#include "search/violations.h"

namespace raddle::search {
namespace {

using Clock = std::chrono::steady_clock;

bool shows_again(const Trial& first, const Trial& again) {
  // A run that should not have been possible, and is.
  bool good = first.judgement.kind == facts::FindingKind::schedule_violation;
  if (good && !first.evidence.empty()) return again.judgement.outcome == Outcome::ok;
  if (first.judgement.kind == facts::FindingKind::potential_deadlock)
    return std::ranges::any_of(again.cycles, [&](const facts::Evidence& cycle) {
      return analysis::cycle_key(cycle) == analysis::cycle_key(first.evidence.front());
    });
  if (first.judgement.kind == facts::FindingKind::atomicity_violation)
    return std::ranges::any_of(again.violations, [&](const facts::Evidence& violation) {
      return violation_places(violation) == violation_places(first.evidence.front());
    });
  if (first.judgement.kind == facts::FindingKind::inconsistent_locks)
    return std::ranges::any_of(again.unprotected, [&](const facts::Evidence& evidence) {
      return analysis::unprotected_key(evidence) ==
             analysis::unprotected_key(first.evidence.front());
    });
  if (first.judgement.kind != facts::FindingKind::data_race)
    return again.judgement.outcome == Outcome::finding &&
           again.judgement.kind == first.judgement.kind;
  auto places = [](const facts::Evidence& race) {
    return std::minmax(race.events[0].site, race.events[1].site);
  };
  return std::ranges::any_of(again.races, [&](const facts::Evidence& race) {
    return places(race) == places(first.evidence.front());
  });
}

std::string describe_end(const Trial& trial) {
  switch (trial.judgement.outcome) {
    case Outcome::ok:
      return "ended normally";
    case Outcome::finding:
      return fmt::format("ended in `{}`", facts::finding_name(trial.judgement.kind));
    case Outcome::limited:
      return "did not end within --max-steps";
    case Outcome::diverged:
      return fmt::format("left the schedule at step {}: {}", trial.run.verdict.step,
                         trial.run.verdict.message);
    case Outcome::blocked:
      return "was cut short";
    case Outcome::unsupported:
      break;
  }
  return trial.run.verdict.message;
}

}  // namespace

Campaign::Campaign(const CampaignOptions& options, Search& search, Trials& trials,
                   CampaignListener& listener, std::span<Trials* const> others)
    : options_(options),
      search_(search),
      trials_(&trials),
      listener_(listener),
      begin_(Clock::now()) {
  outcome_.result.program = options.program.argv;
  if (others.empty()) return;
  jobs_.push_back({&trials, {}});
  for (Trials* other : others) jobs_.push_back({other, {}});
}

double Campaign::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

std::uint64_t Campaign::behaviours() const {
  return search_.distinct_runs().value_or(std::max(behaviours_[0].size(), behaviours_[1].size()));
}

CampaignOutcome Campaign::run() {
  auto log = SearchLog::open();
  if (log)
    log_ = std::move(*log);
  else
    fail(log.error());
  kept_state_ = begin_ = Clock::now();
  while (!stops() && (jobs_.empty() ? step() : step_jobs())) {
    report_progress();
    keep_state();
    try_cycles(false);
  }
  while (finish_job()) report_progress();
  try_cycles(true);
  warn_of_unprotected();
  end_log();
  if (first_infeasible_) report_infeasible();
  facts::CampaignResult& result = outcome_.result;
  result.seconds = seconds();
  result.behaviours = behaviours();
  result.guarantee = search_.guarantee();
  result.size = search_.size();
  result.estimate = search_.estimate();
  result.complete = search_.complete() && !outcome_.failure && !outcome_.interrupted;
  // Runs that came to a standstill, or were cut, have not passed what they would have.
  bool all_ended = result.infeasible == 0 && result.limited == 0;
  if (!has_failed() && !outcome_.failure && all_ended) {
    result.unused_events = unused_events(schedules_);
    for (const std::string& sentence : result.unused_events) listener_.on_note(sentence);
  }
  return std::move(outcome_);
}

bool Campaign::stops() {
  if (options_.interrupts != nullptr && *options_.interrupts > 0) outcome_.interrupted = true;
  if (outcome_.interrupted || outcome_.failure) return true;
  if (!options_.keep_going && has_stopping_finding()) return true;
  if (options_.schedules_max != 0 && runs_ >= options_.schedules_max) return true;
  if (options_.time_max.count() != 0 && Clock::now() - begin_ >= options_.time_max) return true;
  if (options_.enough) outcome_.result.stopped = options_.enough();
  return !outcome_.result.stopped.empty();
}

// Neither a race nor a warning need end a campaign: what they lead to may still be found.
bool Campaign::has_stopping_finding() const {
  return std::ranges::any_of(outcome_.result.findings, [this](const facts::Finding& finding) {
    if (options_.all_stop) return options_.failing.counts(finding.kind);
    return !facts::is_warning(finding.kind) && finding.kind != facts::FindingKind::data_race;
  });
}

// Found anything but warnings that do not count.
bool Campaign::has_failed() const {
  return std::ranges::any_of(outcome_.result.findings, [this](const facts::Finding& finding) {
    return !facts::is_warning(finding.kind) || options_.failing.counts(finding.kind);
  });
}

// False when there is nothing more to do.
bool Campaign::step() {
  if (options_.batches && trials_->executor().makes_batches())
    if (auto batch = search_.next_batch(runs_left())) return step_batch(std::move(*batch));
  auto plan = search_.next();
  if (!plan) {
    if (auto failure = search_.failure()) fail(*failure);
    return false;
  }
  auto trial = trials_->run(*plan);
  if (!trial) {
    fail(trial.error());
    return false;
  }
  return look_at(*plan, *trial);
}

// False when there is nothing more to do.
bool Campaign::look_at(const facts::Plan& plan, Trial& trial) {
  ++runs_;
  schedules_ = trial.run.schedules;
  if (plan.quiet_races) trial.races.clear();
  account(trial);
  listener_.on_trial(plan, trial);
  note_cycles(plan, trial);
  note_unprotected(plan, trial);
  count_known_races(trial);
  bool in_place = trials_->executor().makes_batches();
  if (in_place && judge_feasibility(plan, trial)) return true;
  // Runs in place, and those of searches that look at less, are made again to be told about.
  bool failed = trial.judgement.outcome == Outcome::finding;
  bool sparse = plan.header.racing_only != 0 && plan.header.races != 0;
  bool cut =
      trial.judgement.outcome == Outcome::limited && outcome_.result.limited <= kLimitedLookedAt;
  if ((in_place && failed) || (sparse && (failed || cut || has_new_races(trial)))) {
    look_closer(plan, trial.run, has_new_races(trial) || has_new_violations(plan, trial));
    return true;
  }
  search_.observe(trial.run);
  bool first = runs_ == 1;
  std::vector<wire::Event> events;
  if (first) events.assign(trial.run.events.begin(), trial.run.events.end());
  bool comparable = first && !trial.run.timed_out;

  std::optional<OwnedTrial> racy;  // handling a finding runs the program again
  if (!trial.races.empty() || !trial.violations.empty()) racy.emplace(trial);
  switch (trial.judgement.outcome) {
    case Outcome::finding:
      handle_finding(plan, trial);
      break;
    case Outcome::unsupported:
      fail({fmt::format("{} cannot be run under control: {}", options_.program.argv[0],
                        trial.run.verdict.message),
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
  if (racy && !sparse) {
    handle_races(plan, racy->trial);
    handle_violations(plan, racy->trial);
  }
  if (comparable && !stops()) check_determinism(plan, events);
  return true;
}

void Campaign::account(const Trial& trial) {
  listener_.on_run(trial.run);
  facts::CampaignResult& result = outcome_.result;
  if (trial.judgement.outcome == Outcome::limited)
    ++result.limited;
  else if (trial.judgement.outcome == Outcome::blocked)
    ++result.blocked;
  else if (trial.judgement.outcome != Outcome::diverged)
    ++result.schedules;
  result.steps += trial.run.steps;
  if (search_.distinct_runs()) return;
  happens_before_.begin();
  for (const wire::Event& event : trial.run.events) happens_before_.on_event(event);
  // Runs of searches have `sets`, and other events: what they have in common is not to be seen.
  behaviours_[trial.run.sets.empty() ? 0 : 1].insert(happens_before_.hash());
}

void Campaign::check_determinism(const facts::Plan& plan, const std::vector<wire::Event>& first) {
  auto again = trials_->repeat(plan);
  if (!again) {
    fail(again.error());
    return;
  }
  listener_.on_run(again->run);
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
    return text + " at " + listener_.place(event.site, trials_->executor().modules());
  };
  std::string once = a != first.end() ? describe(*a) : "the run was over";
  std::string then = b != second.end() ? describe(*b) : "the run was over";
  if (once == then) then += " with another result";
  std::string& text = outcome_.result.nondeterminism;
  text =
      fmt::format("the same plan led to different runs, first at step {}: {}, the second time {}",
                  a != first.end() ? a->step : b->step, once, then);
  listener_.on_note(text +
                    "; the program depends on something raddle does not control (time stamp "
                    "counter, addresses, files, uninitialised memory, ...), so findings may not "
                    "replay");
}

bool Campaign::has_new_races(const Trial& trial) const {
  return std::ranges::any_of(trial.races, [this](const facts::Evidence& race) {
    return !races_.contains(std::minmax(race.events[0].site, race.events[1].site));
  });
}

// Once for each finding, however many pairs of places it has.
void Campaign::count_known_races(const Trial& trial) {
  std::set<std::string> seen;
  for (const facts::Evidence& race : trial.races) {
    auto known = races_.find(std::minmax(race.events[0].site, race.events[1].site));
    if (known != races_.end()) seen.insert(known->second);
  }
  for (const std::string& signature : seen) listener_.on_seen_again(signature);
}

void Campaign::handle_races(const facts::Plan& plan, const Trial& trial) {
  for (const facts::Evidence& race : trial.races) {
    auto places = std::minmax(race.events[0].site, race.events[1].site);
    if (races_.contains(places)) continue;
    std::string& signature = races_[places];
    Trial about = trial;
    about.judgement = {Outcome::finding, facts::FindingKind::data_race};
    about.evidence = {race};
    signature = handle_finding(plan, about);
    if (outcome_.failure || outcome_.interrupted) return;
  }
}

// The finding's signature, whether it is a new one or not.
std::string Campaign::handle_finding(const facts::Plan& plan, const Trial& trial,
                                     const Origin& origin) {
  launch::Executor& executor = trials_->executor();
  Sighting seen{trial, origin.run, executor.modules(), {}, executor.error_output()};
  facts::Finding finding = listener_.describe(seen);
  std::string signature = listener_.signature(finding);
  if (!signatures_.insert(signature).second) {
    if (finding.kind != facts::FindingKind::data_race) listener_.on_seen_again(signature);
    return signature;
  }

  OwnedTrial owned(trial);
  Sighting kept{owned.trial, origin.run, seen.modules, executor.output(), seen.error_output};
  facts::Schedule schedule =
      record(options_.program, trials_->surroundings(), plan, owned.trial.run, kept.modules);
  std::optional<Trial> again = repeat(plan, owned.trial);
  if (!again) return signature;
  // The same steps, this time with the calls that led to them: now more can be said.
  if (facts::event_hash(again->run.events) == schedule.events_hash) {
    owned.trial.run.stacks = again->run.stacks;
    finding = listener_.describe(kept);
  }
  if (listener_.suppressed(finding)) {
    ++outcome_.result.suppressed;
    return signature;
  }
  finding.schedule_index = origin.run;
  finding.directed_run = origin.directed_run;
  schedule.test = options_.test;
  schedule.kind = facts::finding_name(finding.kind);
  schedule.message = finding.message.substr(0, finding.message.find('\n'));
  if (finding.kind == facts::FindingKind::inconsistent_locks)
    finding.message += second_opinion(owned.trial.evidence.front());
  if (finding.kind == facts::FindingKind::potential_deadlock)
    finding.message += fmt::format("; not confirmed by {} directed runs", kDirectedMax);
  if (finding.kind == facts::FindingKind::atomicity_violation)
    finding.message += what_became_of(owned.trial.run);
  if (!shows_again(owned.trial, *again)) note_not_reproduced(*again, finding);
  if (auto status = listener_.keep(finding, kept, schedule); !status) fail(status.error());
  outcome_.result.findings.push_back(finding);
  listener_.on_finding(finding, signature);
  return signature;
}

std::optional<Trial> Campaign::repeat(const facts::Plan& plan, const Trial& trial) {
  auto again = trials_->repeat(strict_plan(plan, trial.run.choices));
  if (!again) {
    fail(again.error());
    return std::nullopt;
  }
  listener_.on_run(again->run);
  return *again;
}

// A finding that its own schedule does not reproduce is still true, but the user has to know.
void Campaign::note_not_reproduced(const Trial& again, facts::Finding& finding) {
  std::string end = describe_end(again);
  std::string left = listener_.left_behind();
  if (!left.empty()) end += "; " + left;
  finding.message += fmt::format(" [not reproduced: under the same schedule the program {}]", end);
  if (outcome_.result.nondeterminism.empty())
    outcome_.result.nondeterminism =
        fmt::format("the schedule of a finding did not reproduce it: the program {}", end);
  listener_.on_note(fmt::format(
      "a finding does not replay: under the same schedule the program "
      "{}; it depends on {}",
      end,
      left.empty() ? "something raddle does not control" : "what earlier runs have left behind"));
}

// A run that was to follow the choices of an earlier one and came to others.
void Campaign::note_divergence(const Trial& trial) {
  std::string& text = outcome_.result.nondeterminism;
  if (!text.empty()) return;
  text = fmt::format("a run {}", describe_end(trial));
  listener_.on_note(text + "; the program depends on something raddle does not control");
}

void Campaign::fail(const Error& error) {
  if (error.exit_code == launch::kExitInterrupted)
    outcome_.interrupted = true;
  else if (!outcome_.failure)
    outcome_.failure = error;
}

void Campaign::keep_state() {
  if (!options_.keep_state || state_lost_) return;
  if (Clock::now() - kept_state_ < options_.keep_state_every) return;
  Status kept = options_.keep_state();
  kept_state_ = Clock::now();  // not before: what takes long is done less often
  state_lost_ = !kept;
  if (!kept) listener_.on_note("the state of the search cannot be kept: " + kept.error().message);
}

void Campaign::end_log() {
  if (!log_) return;
  log_->add(runs_, seconds(), search_.size());
  if (Status closed = log_->close(); !closed) fail(closed.error());
}

void Campaign::report_progress() {
  if (log_ && log_->due(runs_)) log_->add(runs_, seconds(), search_.size());
  listener_.on_progress({runs_, behaviours(), outcome_.result.findings.size(), seconds()});
}

}  // namespace raddle::search
