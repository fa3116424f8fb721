// SPDX-License-Identifier: Apache-2.0
//
// Portfolio: the search behind `auto`. Takes turns between policies that find different bugs, on
// one common store of what was learned. Engine side.
//
// Why these and in this order (docs/strategies.md has the figures, bench/tune_auto.py measures
// them):
// - the first run does not preempt: it learns, and shows bugs that need no preemption at all;
// - then in turn: surw three times of six (it finds most bugs soonest, and every fourth time it
//   samples everything, as urw does), pct at depth 3 and 2 (few switches at the right places: the
//   ordering bugs of long runs, and a promise) and pos (does not waste runs on the order of
//   independent steps);
// - round-robin after three turns, and again when new sites have appeared: it alternates as often
//   as possible, which sampling does with a probability that falls exponentially with the length of
//   the run.
#pragma once

#include "search/abilities.h"
#include "search/batches.h"
#include "search/learned.h"
#include "search/pct_promise.h"

namespace raddle::search {

class Portfolio : public Search, public Batching, public Concurrent, public SiteLearning {
 public:
  explicit Portfolio(const PlanOptions& options);

  std::optional<facts::Plan> next() override;
  void observe(const facts::Run& run) override;
  std::optional<facts::Batch> next_batch(std::uint64_t max) override;
  void observe_batch(const facts::Batch& batch, std::uint64_t runs) override;
  std::string guarantee() const override;
  std::vector<LearnedSites> learned_sites() const override {
    return {{kSharedSites, learned_.sites().sites()}};
  }

  const Learned& learned() const { return learned_; }

 private:
  facts::Plan choose();

  Learned learned_;
  Batches batches_;
  PctPromise promise_{2};
  std::uint64_t under_way_ = 0;  // plans
  std::uint64_t tickets_ = 0;
  std::uint64_t turn_ = 0;             // of the rotation
  std::size_t round_robin_sites_ = 0;  // known when round-robin last ran
  bool round_robin_ran_ = false;
};

}  // namespace raddle::search
