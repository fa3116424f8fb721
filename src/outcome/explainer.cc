// SPDX-License-Identifier: Apache-2.0
//
// Comparing a failing run with others of the same program. Engine side.
#include "outcome/explainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rng.h"
#include "outcome/explain_words.h"
#include "outcome/reporter.h"
#include "report/describe.h"
#include "search/neighbours.h"

namespace raddle::outcome {
namespace {

using analysis::Cause;
using facts::FindingKind;
using search::Outcome;
using search::Trial;

constexpr std::size_t kPositionsMax = std::size_t{1} << 22;

bool same_race(const Trial& a, const Trial& b) {
  auto places = [](const facts::Evidence& race) {
    return std::minmax(race.events[0].site, race.events[1].site);
  };
  return !a.evidence.empty() && std::ranges::any_of(b.races, [&](const facts::Evidence& race) {
    return places(race) == places(a.evidence.front());
  });
}

// Equal for runs that differ in nothing that matters.
std::uint64_t run_key(const analysis::Traits& traits) {
  std::uint64_t key = 0;
  for (std::uint64_t edge : traits.edges) key = mix64(key * 31 + edge);
  for (SiteId place : traits.places) key = mix64(key * 31 + place);
  return key;
}

}  // namespace

Explainer::Explainer(search::Trials& trials, const facts::Plan& plan, report::Names& names,
                     std::string directory, const ExplainOptions& options)
    : trials_(trials),
      plan_(plan),
      names_(names),
      directory_(std::move(directory)),
      options_(options),
      sites_(names) {}

std::string Explainer::signature(const Trial& trial) const {
  return report::signature(describe_trial(trial, trials_.surroundings(), directory_,
                                          trials_.executor().error_output(), names_));
}

// Races leave the run as it was: for one of them a run passes that does not show it.
Explainer::Way Explainer::way_of(const Trial& trial) const {
  bool race = trial_->judgement.kind == FindingKind::data_race;
  if (race && same_race(*trial_, trial)) return Way::same;
  if (ended_well(trial.judgement)) return Way::passes;
  bool same = !race && trial.judgement.outcome == Outcome::finding &&
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
  search::Neighbours neighbours(plan_, trial_->run, options_.seed);
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
  } else if (trial_->judgement.kind == FindingKind::data_race && !trial_->evidence.empty()) {
    std::size_t later = trial_->evidence.front().first_index;
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
  signature_ = report::signature(explanation_.finding);
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
