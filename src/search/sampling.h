// SPDX-License-Identifier: Apache-2.0
//
// Sampling: independent runs of one policy, each with its own seed. Engine side.
//
// The first run does not preempt: it learns how long a run is (k), how many threads it has (n) and
// which sites touch shared data. A policy without randomness (round-robin, nonpreemptive) has
// nothing to sample: it is run until the sites are known and a new seed changes nothing.
#pragma once

#include "search/abilities.h"
#include "search/batches.h"
#include "search/learned.h"
#include "search/pct_promise.h"

namespace raddle::search {

class Sampling : public Search,
                 public Batching,
                 public Concurrent,
                 public Exhaustive,
                 public SiteLearning {
 public:
  // `policy` is a name of policy/registry.h.
  Sampling(std::string policy, const PlanOptions& options);

  std::optional<facts::Plan> next() override;
  void observe(const facts::Run& run) override;
  std::optional<facts::Batch> next_batch(std::uint64_t max) override;
  void observe_batch(const facts::Batch& batch, std::uint64_t runs) override;
  std::string guarantee() const override;
  bool complete() const override { return exhausted_; }
  std::vector<LearnedSites> learned_sites() const override {
    return {{kSharedSites, learned_.sites().sites()}};
  }

  const Learned& learned() const { return learned_; }

 private:
  std::string policy_;
  bool random_;  // does the policy draw anything?
  Learned learned_;
  PctPromise promise_;
  Batches batches_;
  std::uint64_t under_way_ = 0;  // plans
  std::uint64_t tickets_ = 0;
  std::uint64_t last_hash_ = 0;
  bool exhausted_ = false;
};

}  // namespace raddle::search
