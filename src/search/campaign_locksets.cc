// SPDX-License-Identifier: Apache-2.0
//
// What a campaign makes of data that no lock protects consistently (analysis/locksets.h): a warning
// at its end, when it is known what the race detector has seen of it. Engine side.
#include <fmt/core.h>

#include <algorithm>

#include "search/campaign.h"

namespace raddle::search {
namespace {

// More warnings than that nobody reads.
constexpr std::size_t kWarningsMax = 16;

// Of accesses from before the data was shared the locks are not known.
auto vague(const facts::Evidence& evidence) {
  return std::ranges::count_if(evidence.events, [](const wire::Event& event) {
    return (event.flags & wire::kEventRemembered) != 0;
  });
}

}  // namespace

// Searches that look at less than all shared data would take an unrecorded access for none.
void Campaign::note_unprotected(const facts::Plan& plan, const Trial& trial) {
  if (plan.header.racing_only != 0) return;
  for (const facts::Evidence& evidence : trial.unprotected) {
    std::uint64_t key = analysis::unprotected_key(evidence);
    auto known = unprotected_.find(key);
    if (known == unprotected_.end() && unprotected_.size() == kWarningsMax) continue;
    // The first run that shows it, unless a later one has more to say. Of runs in place the very
    // first initialises what later ones find initialised, and may not come again.
    bool passing = known != unprotected_.end() && known->second.run == 1 &&
                   trials_->executor().makes_batches();
    if (known == unprotected_.end() || vague(evidence) < vague(known->second.cycle) + passing)
      unprotected_[key] = {evidence, strict_plan(plan, trial.run.choices), runs_};
  }
}

void Campaign::warn_of_unprotected() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // by run
  for (const auto& [key, suspicion] : unprotected_) order.push_back({suspicion.run, key});
  std::ranges::sort(order);
  for (auto [run, key] : order) {
    if (outcome_.failure || outcome_.interrupted) return;
    const Suspicion& suspicion = unprotected_[key];
    auto again = trials_->repeat(suspicion.plan);
    if (!again) return fail(again.error());
    listener_.on_run(again->run);
    auto shown = std::ranges::find(again->unprotected, key, analysis::unprotected_key);
    if (shown == again->unprotected.end()) continue;  // the program is not deterministic
    Trial about = *again;
    about.judgement = {Outcome::finding, facts::FindingKind::inconsistent_locks};
    about.evidence = {*shown};
    handle_finding(suspicion.plan, about, {run, 0});
  }
}

// What the race detector has to say about the same accesses.
std::string Campaign::second_opinion(const facts::Evidence& evidence) const {
  auto is_of = [&](SiteId site) {
    return std::ranges::any_of(evidence.events, [site](const wire::Event& event) {
      return event.kind != wire::OpKind::held && event.site == site;
    });
  };
  bool raced = std::ranges::any_of(races_, [&](const auto& race) {
    return is_of(race.first.first) && is_of(race.first.second);
  });
  if (raced) return "; the race detector has seen a race there, too";
  return fmt::format(
      "; the race detector has seen no race there in {} runs: something else may order them",
      runs_);
}

}  // namespace raddle::search
