// SPDX-License-Identifier: Apache-2.0
//
// What some searches can do: each an interface of its own, which those that can derive from, and
// which a campaign asks for (ask). Engine side.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/campaign_result.h"
#include "search/search.h"

namespace raddle::search {

// Where the executor can make many runs at once.
class Batching {
 public:
  virtual ~Batching() = default;
  // The next runs, at most `max`; nothing when the next one should be one with events. Followed by
  // observe_batch(), and by observe() if the last run of the batch turned out to be of interest.
  virtual std::optional<facts::Batch> next_batch(std::uint64_t max) = 0;
  // `runs` of them are over and done with.
  virtual void observe_batch(const facts::Batch& batch, std::uint64_t runs) = 0;
};

// Several plans may be under way at a time, and runs come back in any order: then a run has the
// ticket of its plan, which it need not have while no other is under way. next() may have nothing
// only for now: as long as a run is under way, it may show further ones.
class Concurrent {
 public:
  virtual ~Concurrent() = default;
};

// It may come to an end.
class Exhaustive {
 public:
  virtual ~Exhaustive() = default;
  // Every schedule that the strategy stands for has been run. guarantee() says what that is worth:
  // it may stand for one schedule only.
  virtual bool complete() const = 0;
  // The same, and the strategy stands for all there are: what has not shown cannot be.
  virtual bool proves_all() const { return false; }
};

// It knows how far it is in a space of runs, and what that takes.
class Measured {
 public:
  virtual ~Measured() = default;
  // What a tree of executions takes; nothing for other searches.
  virtual facts::SearchSize size() const { return {}; }
  // Before it has come to its end.
  virtual std::optional<facts::SpaceEstimate> estimate() const = 0;
  // Of a search that never makes two equivalent runs: how many it has made. Campaigns then need not
  // find out which are.
  virtual std::optional<std::uint64_t> distinct_runs() const { return std::nullopt; }
  // Why there is no next plan, if something of the search's own is in the way.
  virtual std::optional<Error> failure() const { return std::nullopt; }
};

// A later campaign can go on with it.
class Resumable {
 public:
  virtual ~Resumable() = default;
  // There is a state to go on with: the search has begun and is not through.
  virtual bool resumable() const = 0;
  // It is through.
  virtual bool finished() const = 0;
  // Writes the state; `subject` says whose it is. Requires: resumable().
  virtual Status save(const std::string& path, std::string_view subject) = 0;
  // Goes on with it; before the first next(). After an error the search is of no use.
  virtual Status load(const std::string& path, std::string_view subject) = 0;
};

// It learns which sites touch shared data.
class SiteLearning {
 public:
  virtual ~SiteLearning() = default;
  // By the name of the set; a search that consists of others has several.
  struct LearnedSites {
    std::string set;
    std::shared_ptr<const std::vector<SiteId>> sites;  // sorted; may be null (none)
  };
  virtual std::vector<LearnedSites> learned_sites() const = 0;
  // What earlier campaigns have learned, by the name of the set; before the first next().
  // Systematic searches start with it instead of beginning anew at each further site. Those that
  // sample do not: they make no run for learning's sake that they would not make anyway, and the
  // same seed is to give the same runs.
  using KnownSites = std::function<std::vector<SiteId>(const std::string& set)>;
  virtual void start_with(const KnownSites&) {}
};

// Null if the search cannot.
template <class Ability>
Ability* ask(Search& search) {
  return dynamic_cast<Ability*>(&search);
}
template <class Ability>
const Ability* ask(const Search& search) {
  return dynamic_cast<const Ability*>(&search);
}

inline bool is_complete(const Search& search) {
  auto* exhaustive = ask<Exhaustive>(search);
  return exhaustive != nullptr && exhaustive->complete();
}
inline bool proves_all(const Search& search) {
  auto* exhaustive = ask<Exhaustive>(search);
  return exhaustive != nullptr && exhaustive->proves_all();
}

}  // namespace raddle::search
