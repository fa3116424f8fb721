// SPDX-License-Identifier: Apache-2.0
//
// RandomPolicy: a uniform random walk, every enabled thread equally likely at every choice. Target
// side, built for both.
//
// It samples choices, not interleavings: an interleaving that needs one thread to win m times in a
// row has a probability of 2^-m with two threads. PCT and POS exist because of that.
#pragma once

#include "base/rng.h"
#include "policy/policy.h"

namespace raddle::policy {

class RandomPolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;

  // pick() between the two threads whose bits are set. Without a branch that hangs on the rank: it
  // would be foreseen every other time.
  ThreadId pick_of_pair(std::uint64_t pair) {
    std::uint64_t rank = draw() >> 63;  // as scaled() to 2
    return static_cast<ThreadId>(__builtin_ctzll(pair & (pair - rank)));
  }

 private:
  std::uint64_t draw() {
    std::uint64_t drawn = next_;
    next_ = rng_.next();
    return drawn;
  }
  std::uint32_t below(std::uint32_t bound) { return scaled(draw(), bound); }

  Rng rng_;
  // Drawn ahead: a switch that the processor did not foresee is known sooner.
  std::uint64_t next_ = 0;
};

}  // namespace raddle::policy
