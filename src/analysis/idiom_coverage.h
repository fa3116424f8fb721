// SPDX-License-Identifier: Apache-2.0
//
// Interleaving idioms as criteria of coverage: one for each idiom, whose properties are iRoots
// (idioms.h). Engine side. Maple's coverage is the number of those exposed.
//
// Prediction costs more than observation. As in Maple's profiling phase, runs are profiled until
// kQuietRuns in a row have predicted nothing new; from then on one run of kProfileEvery, as other
// runs may go other ways. A profiled run tells all that
// it predicts, whether that is new or not.
#pragma once

#include <unordered_set>

#include "analysis/coverage.h"
#include "analysis/idiom_predictor.h"
#include "analysis/idioms.h"

namespace raddle::analysis {

inline constexpr unsigned kQuietRuns = 3;
inline constexpr unsigned kProfileEvery = 16;

class IdiomCoverage final : public CoverageObserver {
 public:
  explicit IdiomCoverage(std::uint32_t window = kIdiomWindow)
      : observer_(window), predictor_(window) {}

  std::span<const Criterion> criteria() const override;
  void begin() override;
  void on_event(const wire::Event& event) override;
  void finish(const facts::Run& run, std::span<CriterionRun> results) override;

 private:
  IdiomObserver observer_;
  IdiomPredictor predictor_;
  std::unordered_set<std::uint64_t> known_;  // predicted by earlier runs
  bool profiles_ = true;                     // this run
  unsigned quiet_ = 0;                       // profiled runs in a row that brought nothing new
  unsigned rest_ = 0;                        // runs until the next one is profiled
};

}  // namespace raddle::analysis
