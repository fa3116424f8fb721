// SPDX-License-Identifier: Apache-2.0
//
// PctPolicy: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte,
// "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). Target
// side, built for both.
//
// Every thread has a random priority, and the highest enabled thread runs. depth - 1 change points
// k_1 .. k_(d-1) are drawn independently and uniformly from 1..k; the thread that carries out the
// k_i-th step of the run falls to priority i, below all initial priorities. A bug of depth d shows
// with probability at least 1 / (n k^(d-1)), if the run has at most n threads and k steps and the
// fairness filter never had to step in.
//
// The k_i are not sorted: which of two change points comes first in time and which one gives the
// lower priority are independent, and some bugs of depth 3 need the later one to be the lower.
//
// Differences from the paper:
// - The number of threads is not known beforehand. A thread draws its priority from 2^49 values
//   when first seen, with its id as the last digits, so priorities are distinct and their order is
//   a uniform permutation (up to ties of the draws, below n^2 / 2^50, which the id decides).
// - pick() sees only steps at which there was a choice. A change point within a stretch without
//   choices takes effect at the end of it. If it lies on the first step of the stretch, which was
//   picked, the picked thread falls, as in the paper; otherwise the thread that ran last. They
//   differ only if the run moved on to a third thread without there ever being a choice.
// - Waiting is no busy step: a blocked thread is not enabled and loses no priority.
#pragma once

#include "base/rng.h"
#include "policy/policy.h"

namespace raddle::policy {

// The greatest depth of a plan that asks for pct. The bound is long meaningless there.
inline constexpr std::uint32_t kPctDepthMax = 64;

class PctPolicy final : public Policy {
 public:
  // Requires: plan.depth <= kPctDepthMax. Depth 0 is taken as 1, expected_steps 0 as 1.
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;

 private:
  struct ChangePoint {
    StepIndex after;         // takes effect once so many steps have been carried out
    std::uint32_t priority;  // 1 .. depth - 1
  };

  void draw_priorities(ThreadId thread_count);
  void lower_due(const Choice& choice);

  Rng rng_;
  ThreadId picked_ = kNoThread;  // by the previous pick, and for which step
  StepIndex picked_at_ = 0;
  std::uint32_t change_count_ = 0;
  std::uint32_t next_change_ = 0;
  ChangePoint changes_[kPctDepthMax - 1];  // invariant: the first change_count_ are in time order
  ThreadId seen_ = 0;
  std::uint64_t priority_[kMaxThreads];  // invariant: set for ids below seen_
};

}  // namespace raddle::policy
