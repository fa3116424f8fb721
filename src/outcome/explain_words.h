// SPDX-License-Identifier: Apache-2.0
//
// Causes of a failure in words, with names and source places. Engine side.
#pragma once

#include "analysis/postmortem.h"
#include "facts/explanation.h"
#include "outcome/recorded_run.h"

namespace raddle::outcome {

class CauseWords {
 public:
  // The finding names the threads. All must outlive this.
  CauseWords(const RecordedRun& run, report::Names& names, const facts::Finding& finding,
             const std::string& directory)
      : run_(run), names_(names), finding_(finding), directory_(directory) {}

  facts::ExplainedCause explain(const analysis::Cause& cause);

 private:
  facts::ExplainedOperation operation(std::size_t index);
  facts::Frame frame(SiteId place);
  std::string sentence(const analysis::Cause& cause);
  std::string pair_sentence(const analysis::Cause& cause);
  std::string interleaved_sentence(const analysis::Cause& cause);
  std::string usually(const analysis::Cause& cause);
  std::string thread(std::size_t index) const;
  std::string variable(std::size_t index);

  const RecordedRun& run_;
  report::Names& names_;
  const facts::Finding& finding_;
  const std::string& directory_;
};

}  // namespace raddle::outcome
