// SPDX-License-Identifier: Apache-2.0
//
// Dfs: all interleavings, depth first, each once. Engine side. No reductions: runs that differ only
// in the order of independent steps are all made.
//
// All runs of an enumeration have the same seed and the same sites at which plain accesses are
// points, so that they are the leaves of one tree. The first run has the empty path: it does not
// preempt, and learns the first sites. A run that names a site which was not known begins the
// enumeration anew, with it; so at the end no run of the enumeration knew of a further one.
#pragma once

#include "policy/dfs_step.h"
#include "search/abilities.h"
#include "search/batches.h"
#include "search/coverage_words.h"
#include "search/learned.h"

namespace raddle::search {

class Dfs : public Search,
            public Batching,
            public Exhaustive,
            public Measured,
            public Resumable,
            public SiteLearning {
 public:
  explicit Dfs(const PlanOptions& options) : learned_(options) {}

  std::optional<facts::Plan> next() override;
  void observe(const facts::Run& run) override;
  std::string guarantee() const override;
  // Every interleaving was run to its end. What fairness leaves out is none of this strategy's.
  bool complete() const override;
  bool proves_all() const override { return complete(); }
  std::optional<facts::SpaceEstimate> estimate() const override;
  bool resumable() const override { return learned_.runs() > 0 && !exhausted_; }
  bool finished() const override { return exhausted_; }
  Status save(const std::string& path, std::string_view subject) override;
  Status load(const std::string& path, std::string_view subject) override;
  std::vector<LearnedSites> learned_sites() const override {
    return {{kSharedSites, learned_.sites().sites()}};
  }
  void start_with(const KnownSites& known) override { learned_.know(known(kSharedSites)); }

  // Runs of this enumeration that were made without asking for a plan each, as the runtime does it
  // inside one process: from the path of the last plan on, one path after the other.
  using Counts = RunCounts;
  // `path` is the one that comes next; it does not matter after DfsStep::exhausted.
  void add_stretch(const Counts& made, policy::DfsStep last,
                   std::span<const wire::ChoiceRecord> path, bool wide);
  std::optional<facts::Batch> next_batch(std::uint64_t max) override;
  void observe_batch(const facts::Batch& batch, std::uint64_t runs) override;

  // Of this enumeration: runs that followed their paths.
  std::uint64_t runs() const { return counts_.runs; }
  std::uint64_t restarts() const { return restarts_; }

 private:
  bool all_made() const;
  void begin_anew();
  policy::DfsStep follow(const facts::Run& run);
  std::string reservations() const;

  Learned learned_;
  Batches batches_;
  std::vector<wire::ChoiceRecord> ranks_;  // the path is its first path_.count
  policy::DfsPath path_;
  bool exhausted_ = false;
  Counts counts_;
  std::uint64_t restarts_ = 0;
};

}  // namespace raddle::search
