// SPDX-License-Identifier: Apache-2.0
//
// Learning atomicity: runs are made, and those that end well teach which code is never interleaved
// so that no order explains it (analysis/invariants.h). Engine side; what `raddle learn` and unit
// tests have in common.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>

#include "analysis/invariants.h"
#include "campaign/options.h"
#include "campaign/trial.h"
#include "outcome/learned_memo.h"
#include "search/strategies.h"

namespace raddle::outcome {

struct LearningOptions {
  analysis::Granularity granularity = analysis::Granularity::word;
  std::uint64_t stable = 100;   // so many runs without a change are enough
  std::uint64_t tolerated = 0;  // runs that may violate an invariant

  campaign::Budget budget;
  const volatile std::sig_atomic_t* interrupts = nullptr;  // counts; may be null
  std::function<void(const facts::Run&)> on_good_run;      // may be null
};

struct Learned {
  analysis::Training training;
  std::uint64_t failed = 0;   // runs that did not end well
  std::string first_failure;  // what the first of them was
  std::uint64_t steps = 0;
  bool stable = false;
  bool interrupted = false;
  double seconds = 0;

  std::uint64_t runs() const { return training.runs() + failed; }
  std::size_t violated() const { return training.counts().size() - training.invariants(); }
};

// Whether runs of the strategy can be learned from; an error names `option`.
Status check_learns(const search::Strategy& strategy, const std::string& option);

// Makes runs until they teach nothing new, or the budget is used up, and keeps what they teach.
Result<Learned> learn(const LearningOptions& options, const launch::Program& program,
                      search::Search& search, campaign::Trials& trials, LearnedMemo& memo);

}  // namespace raddle::outcome
