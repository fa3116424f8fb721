// SPDX-License-Identifier: Apache-2.0
//
// Portfolio: the search behind `auto`. Takes turns between policies that find different bugs, on
// one common store of what was learned. Engine side.
//
// Why these and in this order:
// - the first run does not preempt: it learns, and shows bugs that need no preemption at all;
// - the second does the same with the shared sites known, so that k counts the points that the
//   sampling policies will meet;
// - round-robin once, and once more when new sites appear: it alternates as often as possible,
//   which sampling does with a probability that falls exponentially with the length of the run;
// - then in turn: random (cheap, good on short programs and on bugs that need many switches), pct
//   (few switches at the right places: the ordering bugs of long runs, which random hardly ever
//   reaches) at depth 2 and 3, and pos (does not waste runs on the order of independent steps).
//   random and pos get two turns of six each, because they need no parameter to be right.
#pragma once

#include "search/learned.h"
#include "search/pct_promise.h"
#include "search/search.h"

namespace raddle::search {

class Portfolio : public Search {
 public:
  explicit Portfolio(const PlanOptions& options);

  std::optional<facts::Plan> next() override;
  void observe(const facts::Run& run) override;
  std::string guarantee() const override;

  const Learned& learned() const { return learned_; }

 private:
  facts::Plan choose();

  Learned learned_;
  PctPromise promise_{2};
  std::uint64_t turn_ = 0;             // of the rotation
  std::size_t round_robin_sites_ = 0;  // known when round-robin last ran
  bool round_robin_ran_ = false;
};

}  // namespace raddle::search
