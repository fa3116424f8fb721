// SPDX-License-Identifier: Apache-2.0
//
// Explainer: repeats a failing run in many variations, keeps what those that pass have done, and
// says what only the failing one did (analysis/postmortem.h). Engine side.
#pragma once

#include <chrono>

#include "analysis/postmortem.h"
#include "campaign/owned_trial.h"
#include "facts/explanation.h"
#include "outcome/recorded_run.h"

namespace raddle::outcome {

struct ExplainOptions {
  std::uint64_t runs_max = 200;
  std::chrono::milliseconds time_max{10'000};
  std::uint64_t seed = 1;
  std::size_t causes_max = 3;
  const volatile std::sig_atomic_t* interrupts = nullptr;
};

class Explainer {
 public:
  // `plan` repeats the run (campaign::strict_plan); `directory` is the campaign's.
  Explainer(campaign::Trials& trials, const facts::Plan& plan, report::Names& names,
            std::string directory, const ExplainOptions& options);

  // Of a run of the plan; its outcome is a finding. An error means that no runs could be made.
  Result<facts::Explanation> explain(const campaign::Trial& failing);

 private:
  enum class Way { passes, same, other };

  Way way_of(const campaign::Trial& trial) const;
  Status compare();
  void add(const campaign::Trial& trial, Way way);
  std::vector<analysis::Cause> evident_causes() const;
  std::vector<analysis::Cause> causes();
  std::string signature(const campaign::Trial& trial) const;
  std::string nothing() const;

  campaign::Trials& trials_;
  const facts::Plan& plan_;
  report::Names& names_;
  std::string directory_;
  ExplainOptions options_;
  UserSites sites_;
  analysis::TraitReader reader_;

  const campaign::Trial* trial_ = nullptr;  // the failing one
  std::string signature_;
  std::optional<RecordedRun> run_;
  analysis::Traits traits_;
  analysis::Neighbourhood others_;
  std::set<std::uint64_t> seen_;  // runs, by their orders
  facts::Explanation explanation_;
  std::size_t positions_ = 0;  // of events of passing runs, kept
};

}  // namespace raddle::outcome
