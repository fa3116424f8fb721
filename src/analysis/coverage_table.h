// SPDX-License-Identifier: Apache-2.0
//
// What the runs of one campaign have covered, by criterion: which properties, in which run first,
// in how many; what was predicted; how the count has grown. Engine side.
//
// Memory is bounded: kEntriesMax properties a criterion (fewer for those that are exponential);
// beyond that new ones are not kept, and the criterion is marked as truncated.
#pragma once

#include <string>
#include <utility>

#include "analysis/coverage.h"
#include "analysis/epoch_map.h"

namespace raddle::analysis {

inline constexpr std::size_t kEntriesMax = 20'000;
inline constexpr std::size_t kLongEntriesMax = 1'000;

// The runs at which the count is written down: each at first, then every twentieth part more.
constexpr std::uint64_t next_growth_point(std::uint64_t run) { return run + 1 + run / 20; }

struct CoverageEntry {
  Property property;
  std::uint64_t first_run = 0;  // from 1; 0: not covered
  std::uint64_t times = 0;      // runs that have covered it
  bool predicted = false;
  bool changed = false;  // since it was last taken
};

struct CriterionState {
  Criterion criterion{};
  std::vector<CoverageEntry> entries;  // in the order in which they came
  std::uint64_t covered = 0;
  std::uint64_t last_growth = 0;  // the run that covered something first; 0: none has
  Count size;                     // the largest of any run
  bool truncated = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> growth;  // run, covered
};

class CoverageTable {
 public:
  explicit CoverageTable(
      std::vector<std::unique_ptr<CoverageObserver>> observers = make_coverage_observers());

  // One more run. Requires: its events hold all accesses (analysis/coverage.h).
  void observe(const facts::Run& run);

  std::uint64_t runs() const { return runs_; }
  const std::vector<CriterionState>& criteria() const { return states_; }
  // The last run that covered something new of a criterion that is not exponential.
  std::uint64_t last_growth() const;

  // Calls visit(criterion, entry) for what is new, and for changed counts: when they have doubled,
  // or all of them. What visit() is told of counts as taken.
  template <class Visit>
  void take_changed(bool all, Visit&& visit) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      for (std::uint32_t at : changed_[i]) {
        CoverageEntry& entry = states_[i].entries[at];
        entry.changed = false;
        visit(states_[i], entry);
      }
      changed_[i].clear();
      if (!all) continue;
      for (const CoverageEntry& entry : states_[i].entries)
        if (entry.times > 2) visit(states_[i], entry);
    }
  }
  // What was taken last did not get anywhere: all of it is to be taken again.
  void take_all_again();

 private:
  CoverageEntry* entry(std::size_t criterion, const Property& property);
  void mark(std::size_t criterion, CoverageEntry& entry);
  void add(std::size_t criterion, const CriterionRun& result);

  std::vector<std::unique_ptr<CoverageObserver>> observers_;
  std::vector<CriterionState> states_;
  std::vector<EpochMap<std::uint32_t>> index_;  // of each state: by hash, index + 1
  std::vector<std::vector<std::uint32_t>> changed_;
  std::vector<CriterionRun> results_;
  std::vector<std::uint64_t> next_point_;
  std::uint64_t runs_ = 0;
};

}  // namespace raddle::analysis
