// SPDX-License-Identifier: Apache-2.0
//
// Search: between runs, which plan next. Engine side.
#pragma once

#include <optional>
#include <string>

#include "facts/campaign_result.h"
#include "facts/run.h"

namespace raddle::search {

class Search {
 public:
  virtual ~Search() = default;

  // The next plan, or nothing when no further run could show anything new.
  virtual std::optional<facts::Plan> next() = 0;

  // What the last plan led to. Called once after every next(), before the one that follows.
  virtual void observe(const facts::Run& run) = 0;

  // Where the executor can make many runs at once: the next ones, at most `max`; nothing when the
  // next run should be one with events. Followed by observe_batch(), and by observe() if the last
  // run of the batch turned out to be of interest.
  virtual std::optional<facts::Batch> next_batch(std::uint64_t /*max*/) { return std::nullopt; }
  // `runs` of them are over and done with.
  virtual void observe_batch(const facts::Batch& /*batch*/, std::uint64_t /*runs*/) {}

  // For searches that never make two equivalent runs: how many they have made. Campaigns then need
  // not find out which are.
  virtual std::optional<std::uint64_t> distinct_runs() const { return std::nullopt; }

  // What a tree of executions takes; nothing for other searches.
  virtual facts::SearchSize size() const { return {}; }

  // What the runs so far promise about bugs that they did not show, in one sentence.
  virtual std::string guarantee() const = 0;

  // True when every schedule that the strategy stands for has been run. guarantee() says what that
  // is worth: the strategy may stand for one schedule only.
  virtual bool complete() const { return false; }
};

}  // namespace raddle::search
