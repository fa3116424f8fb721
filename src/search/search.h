// SPDX-License-Identifier: Apache-2.0
//
// Search: between runs, which plan next. Engine side.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/campaign_result.h"
#include "facts/run.h"

namespace raddle::search {

class Search {
 public:
  virtual ~Search() = default;

  // The next plan, or nothing when no further run could show anything new.
  virtual std::optional<facts::Plan> next() = 0;

  // What a plan led to: once for every plan, before next() is called again. If the search is
  // concurrent(), other plans may be asked for meanwhile, and runs come back in any order: then a
  // run has the ticket of its plan, which it need not have while no other is under way.
  virtual void observe(const facts::Run& run) = 0;

  // Whether several plans may be under way at a time. Then next() may have nothing only for now:
  // as long as a run is under way, it may show further ones.
  virtual bool concurrent() const { return false; }

  // Why there is no next plan, if something of the search's own is in the way.
  virtual std::optional<Error> failure() const { return std::nullopt; }

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

  // Of a systematic search that has not come to its end: how far it is.
  virtual std::optional<facts::SpaceEstimate> estimate() const { return std::nullopt; }

  // Whether the search is one with which a later campaign can go on.
  virtual bool keeps_state() const { return false; }
  // Whether there is a state with which a later campaign could go on: the search has begun and is
  // not through.
  virtual bool resumable() const { return false; }
  // Whether it has been before, and all that it would have gone on with has been done.
  virtual bool finished() const { return false; }
  // Writes that state; `subject` says whose it is. Requires: resumable().
  virtual Status save(const std::string& path, std::string_view /*subject*/) {
    return Error{path + ": this strategy has no state that could be kept", kExitUsage};
  }
  // Goes on with it; before the first next(). After an error the search is of no use.
  virtual Status load(const std::string& path, std::string_view /*subject*/) {
    return Error{path + ": this strategy has no state to go on with", kExitUsage};
  }

  // The sites of shared data that it has learned of, by the name of the set; a search that consists
  // of others has several.
  struct LearnedSites {
    std::string set;
    std::shared_ptr<const std::vector<SiteId>> sites;  // sorted; may be null (none)
  };
  virtual std::vector<LearnedSites> learned_sites() const { return {}; }
  // What earlier campaigns have learned, by the name of the set; before the first next().
  // Systematic searches start with it instead of beginning anew at each further site. Those that
  // sample do not: they make no run for learning's sake that they would not make anyway, and the
  // same seed is to give the same runs.
  using KnownSites = std::function<std::vector<SiteId>(const std::string& set)>;
  virtual void start_with(const KnownSites&) {}

  // What the runs so far promise about bugs that they did not show, in one sentence.
  virtual std::string guarantee() const = 0;

  // True when every schedule that the strategy stands for has been run. guarantee() says what that
  // is worth: the strategy may stand for one schedule only.
  virtual bool complete() const { return false; }
  // The same, and the strategy stands for all there are: what has not shown cannot be.
  virtual bool proves_all() const { return false; }
};

}  // namespace raddle::search
