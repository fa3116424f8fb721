// SPDX-License-Identifier: Apache-2.0
//
// DfsPolicy: one path of an exhaustive depth-first search: follows the ranks of the plan
// (SteeringKind::ranks), then takes rank 0 at every choice. Target side, built for both. dfs_step.h
// makes the next path of the choices of a run.
//
// Rank 0 of a thread choice is the thread that ran last, if it can be chosen; the others follow by
// ascending id. The rank of a value is the value. So a plan without ranks gives the run without
// preemption, and the first paths differ from it near their ends.
//
// Strict about its ranks, as replay is: a choice that is not the one that the rank was made of
// (of another sort, at another step, among another number of candidates) means that the program
// depends on something else than its schedule. Then pick() returns kNoThread and value() its bound,
// and the first reason is kept. A step kAnyStep or 0 candidates are not compared.
#pragma once

#include <bit>

#include "policy/policy.h"

namespace raddle::policy {

class DfsPolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
  void resume(const PlanView& view, std::uint32_t made) override;

  // pick() between the current thread and another one, whose bits are set. kNoThread, and nothing
  // done, if it takes more than a look at the next rank.
  ThreadId pick_of_pair(std::uint64_t pair, ThreadId current, StepIndex step) {
    if (next_ == count_) return current;
    // All of the record at once: nothing but its rank may differ from what is expected, 0 or 1.
    constexpr wire::ChoiceRecord kRankOne{0, 1, wire::OpKind::none, 0};
    auto record = std::bit_cast<std::uint64_t>(ranks_[next_]);
    auto expected =
        std::bit_cast<std::uint64_t>(wire::ChoiceRecord{step, 0, wire::OpKind::none, 2});
    std::uint64_t rank = record ^ expected;
    if ((rank & ~std::bit_cast<std::uint64_t>(kRankOne)) != 0) return kNoThread;
    ++next_;
    auto other = static_cast<ThreadId>(__builtin_ctzll(pair & ~(std::uint64_t{1} << current)));
    return rank == 0 ? current : other;
  }

  // The index of the rank that could not be followed, if reason() is not null.
  std::uint32_t diverged_at() const { return next_; }
  // Why, in words that follow "the run diverged: "; nullptr if it did not.
  const char* reason() const { return reason_; }

 private:
  // Whether the next rank is one of such a choice.
  bool fits(unsigned candidates, StepIndex step, bool value);

  const wire::ChoiceRecord* ranks_ = nullptr;
  const char* reason_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t next_ = 0;
};

}  // namespace raddle::policy
