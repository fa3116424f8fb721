// SPDX-License-Identifier: Apache-2.0
//
// Comparing a failing run with others of the same program. Engine side.
#include "outcome/explainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rng.h"
#include "campaign/neighbours.h"
#include "detect/registry.h"
#include "outcome/explain_words.h"
#include "outcome/reporter.h"

namespace raddle::outcome {
namespace {

using analysis::Cause;
using campaign::Trial;
using facts::FindingKind;
using facts::Outcome;

constexpr std::size_t kPositionsMax = std::size_t{1} << 22;

// By a detector, in runs that it does not end.
bool is_seen_on_the_way(const Trial& trial) {
  const detect::Detector* detector = trial.about ? detect::detector_of(trial.about->kind) : nullptr;
  return detector != nullptr && detector->told != detect::Told::as_the_end;
}

// Equal for runs that differ in nothing that matters.
std::uint64_t run_key(const analysis::Traits& traits) {
  std::uint64_t key = 0;
  for (std::uint64_t edge : traits.edges) key = mix64(key * 31 + edge);
  for (SiteId place : traits.places) key = mix64(key * 31 + place);
  return key;
}

}  // namespace

Explainer::Explainer(campaign::Trials& trials, const facts::Plan& plan, report::Names& names,
                     std::string directory, const ExplainOptions& options)
    : trials_(trials),
      plan_(plan),
      names_(names),
      directory_(std::move(directory)),
      options_(options),
      sites_(names) {}

std::string Explainer::signature(const Trial& trial) const {
  return describe_trial(trial, trials_.surroundings(), directory_,
                        trials_.executor().error_output(), names_)
      .signature();
}

// Races leave the run as it was: for one of them a run passes that does not show it.
Explainer::Way Explainer::way_of(const Trial& trial) const {
  bool on_the_way = is_seen_on_the_way(*trial_);
  if (on_the_way && detect::find_same(trial.evidence, *trial_->about) != nullptr) return Way::same;
  if (ended_well(trial.judgement)) return Way::passes;
  bool same = !on_the_way && trial.judgement.outcome == Outcome::finding &&
              trial.judgement.kind == trial_->judgement.kind && signature(trial) == signature_;
  return same ? Way::same : Way::other;
}

void Explainer::add(const Trial& trial, Way way) {
  if (way == Way::other) {
    ++explanation_.others;
    return;
  }
  RecordedRun run(trial.run, sites_);
  analysis::Traits traits = reader_.read(run.events, run.places);
  if (!seen_.insert(run_key(traits)).second) return;
  traits.edge_events = {};
  traits.identities = {};
  // Positions serve to find single orders in passing runs. Of long runs only some are kept.
  if (way == Way::passes) positions_ += traits.position.size();
  if (way != Way::passes || positions_ > kPositionsMax) traits.position = {};
  if (way != Way::passes) traits.edges = {};
  (way == Way::passes ? others_.passing : others_.failing).push_back(std::move(traits));
}

Status Explainer::compare() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  campaign::Neighbours neighbours(plan_, trial_->run, options_.seed);
  for (; explanation_.runs < options_.runs_max; ++explanation_.runs) {
    bool asked = options_.interrupts != nullptr && *options_.interrupts > 0;
    bool late = options_.time_max.count() != 0 && Clock::now() - begin >= options_.time_max;
    if (asked || late) break;
    auto trial = trials_.run(neighbours.next());
    if (!trial) return trial.error();
    Way way = way_of(*trial);
    neighbours.observe(way == Way::passes);
    add(*trial, way);
  }
  return Done{};
}

// What the run itself says, whatever others do: the cycle of a deadlock, the two sides of a race.
std::vector<Cause> Explainer::evident_causes() const {
  std::vector<Cause> causes;
  Cause cause;
  cause.failing = others_.failing.size();
  if (!run_->cycle.empty()) {
    cause.label = analysis::Label::deadlock;
    cause.reason = analysis::Reason::lock_cycle;
    for (auto [held, wanted] : run_->cycle) {
      if (held != RecordedRun::kNone) {
        cause.orders.push_back({cause.events.size(), cause.events.size() + 1});
        cause.events.push_back(held);
      }
      cause.events.push_back(wanted);
    }
    causes.push_back(std::move(cause));
  } else if (trial_->judgement.kind == FindingKind::data_race && trial_->about) {
    std::size_t later = trial_->about->first_index;
    cause.reason = analysis::Reason::race;
    cause.events = {later + 1, later};  // the earlier access is told after the later one
    cause.orders = {{0, 1}};
    causes.push_back(std::move(cause));
  }
  return causes;
}

std::vector<Cause> Explainer::causes() {
  std::vector<Cause> causes = evident_causes();
  analysis::Postmortem postmortem(run_->events, run_->places, traits_, others_,
                                  [this](SiteId site) { return sites_.contains(site); });
  std::vector<Cause> further = postmortem.causes(!causes.empty());
  for (Cause& cause : further) causes.push_back(std::move(cause));
  return causes;
}

std::string Explainer::nothing() const {
  if (others_.passing.empty() && trial_->judgement.kind == FindingKind::data_race)
    return fmt::format("all of {} runs show this race: no schedule was found that avoids it",
                       explanation_.runs);
  if (others_.passing.empty())
    return fmt::format(
        "none of {} runs passes: the failure does not depend on the schedule, or more runs are "
        "needed (--runs, --time)",
        explanation_.runs);
  if (!explanation_.causes.empty()) return "";
  return "passing runs do all that the failing one does: what makes the difference is no order of "
         "operations that raddle sees";
}

Result<facts::Explanation> Explainer::explain(const Trial& failing) {
  trial_ = &failing;
  explanation_.finding = describe_trial(failing, trials_.surroundings(), directory_,
                                        trials_.executor().error_output(), names_);
  signature_ = explanation_.finding.signature();
  run_.emplace(failing.run, sites_);
  traits_ = reader_.read(run_->events, run_->places);
  seen_.insert(run_key(traits_));
  if (auto status = compare(); !status) return status.error();
  explanation_.passing = others_.passing.size();
  explanation_.failing = others_.failing.size();
  std::size_t nearest = static_cast<std::size_t>(-1);
  for (const analysis::Traits& run : others_.passing)
    nearest = std::min(nearest, analysis::distance(traits_, run));
  if (!others_.passing.empty()) explanation_.distance = nearest;
  CauseWords words(*run_, names_, explanation_.finding, directory_);
  for (const Cause& cause : causes()) {
    if (explanation_.causes.size() == options_.causes_max) break;
    explanation_.causes.push_back(words.explain(cause));
  }
  explanation_.nothing = nothing();
  return std::move(explanation_);
}

}  // namespace raddle::outcome
