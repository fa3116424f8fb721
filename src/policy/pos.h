// SPDX-License-Identifier: Apache-2.0
//
// PosPolicy: partial order sampling (Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling",
// CAV 2018). Target side, built for both.
//
// Every pending operation has a random score; the highest enabled one runs; then the pending
// operations that depend on it (model/dependence.h) draw anew. So the order of two racing
// operations is decided by fresh scores, however many independent steps lie around them.
//
// The paper redraws the scores of disabled operations too. Here only those up for choice are looked
// at, which gives the same distribution: what disables an operation is a step on the same object,
// hence dependent on it, so it drew a new score when it was disabled; and as only enabled
// operations are compared, a score that has not been compared since it was drawn is as good as any
// later one. For the same reason steps without a choice, which pick() does not see, need no redraw.
//
// Differences from the paper: an operation that a filter holds back keeps its score when a step
// races with it (the paper knows no filters; fairness holds back only operations that have never
// been compared, so it makes no difference there). Equal scores, of probability 2^-64, fall to the
// lower id.
#pragma once

#include "base/rng.h"
#include "policy/policy.h"

namespace raddle::policy {

class PosPolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;

 private:
  struct Entry {
    std::uint64_t score;
    std::uint32_t serial;  // of the operation that has the score
  };

  Rng rng_;
  ThreadId seen_ = 0;
  Entry entries_[kMaxThreads];  // invariant: set for ids below seen_
};

}  // namespace raddle::policy
