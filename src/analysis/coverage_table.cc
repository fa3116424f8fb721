// SPDX-License-Identifier: Apache-2.0
//
// See coverage_table.h. Engine side. One look-up for every property of every run.
#include "analysis/coverage_table.h"

#include <algorithm>

namespace raddle::analysis {

CoverageTable::CoverageTable(std::vector<std::unique_ptr<CoverageObserver>> observers)
    : observers_(std::move(observers)) {
  for (const auto& observer : observers_)
    for (const Criterion& criterion : observer->criteria())
      states_.emplace_back().criterion = criterion;
  index_.resize(states_.size());
  changed_.resize(states_.size());
  results_.resize(states_.size());
  next_point_.assign(states_.size(), 1);
}

void CoverageTable::observe(const facts::Run& run) {
  ++runs_;
  std::size_t first = 0;
  for (const auto& observer : observers_) {
    std::span<CriterionRun> results =
        std::span(results_).subspan(first, observer->criteria().size());
    for (CriterionRun& result : results) result.clear();
    observer->begin();
    for (const wire::Event& event : run.events) observer->on_event(event);
    observer->finish(run, results);
    for (const CriterionRun& result : results) add(first++, result);
  }
}

void CoverageTable::add(std::size_t criterion, const CriterionRun& result) {
  CriterionState& state = states_[criterion];
  if (result.truncated) state.truncated = true;
  if (result.size && state.size < *result.size) state.size = *result.size;
  for (const Property& property : result.covered) {
    CoverageEntry* known = entry(criterion, property);
    if (known == nullptr) continue;
    if (known->times++ == 0) {
      known->first_run = state.last_growth = runs_;
      ++state.covered;
    }
    if ((known->times & (known->times - 1)) == 0) mark(criterion, *known);
  }
  for (const Property& property : result.predicted) {
    CoverageEntry* known = entry(criterion, property);
    if (known == nullptr || known->predicted) continue;
    known->predicted = true;
    mark(criterion, *known);
  }
  if (runs_ < next_point_[criterion]) return;
  next_point_[criterion] = next_growth_point(runs_);
  if (state.growth.empty() || state.growth.back().second != state.covered)
    state.growth.emplace_back(runs_, state.covered);
}

CoverageEntry* CoverageTable::entry(std::size_t criterion, const Property& property) {
  CriterionState& state = states_[criterion];
  std::uint32_t& at = index_[criterion][property.hash];
  if (at != 0) return &state.entries[at - 1];
  std::size_t max = state.criterion.grows_long ? kLongEntriesMax : kEntriesMax;
  if (state.entries.size() >= max) {
    state.truncated = true;
    return nullptr;
  }
  state.entries.emplace_back().property = property;
  at = static_cast<std::uint32_t>(state.entries.size());
  return &state.entries.back();
}

void CoverageTable::mark(std::size_t criterion, CoverageEntry& entry) {
  if (entry.changed) return;
  entry.changed = true;
  changed_[criterion].push_back(
      static_cast<std::uint32_t>(&entry - states_[criterion].entries.data()));
}

void CoverageTable::take_all_again() {
  for (std::size_t i = 0; i < states_.size(); ++i)
    for (CoverageEntry& entry : states_[i].entries) mark(i, entry);
}

std::uint64_t CoverageTable::last_growth() const {
  std::uint64_t last = 0;
  for (const CriterionState& state : states_)
    if (!state.criterion.grows_long) last = std::max(last, state.last_growth);
  return last;
}

}  // namespace raddle::analysis
