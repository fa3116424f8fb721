// SPDX-License-Identifier: Apache-2.0
//
// Interleaving idioms as criteria of coverage: one for each idiom, whose properties are iRoots
// (idioms.h). Engine side. Maple's coverage is the number of those exposed.
#pragma once

#include "analysis/coverage.h"
#include "analysis/idioms.h"

namespace raddle::analysis {

class IdiomCoverage final : public CoverageObserver {
 public:
  explicit IdiomCoverage(std::uint32_t window = kIdiomWindow) : observer_(window) {}

  std::span<const Criterion> criteria() const override;
  void begin() override;
  void on_event(const wire::Event& event) override;
  void finish(const facts::Run& run, std::span<CriterionRun> results) override;

 private:
  IdiomObserver observer_;
};

}  // namespace raddle::analysis
