// SPDX-License-Identifier: Apache-2.0
//
// TreePolicy: one node of an execution tree: the default behaviour, but for the choices that the
// plan names (SteeringKind::deviations). Target side, built for both. search/tree_search.h makes
// the plans.
//
// The default is to go on with the thread that ran last while it can run, else to take the lowest
// that can; of values 0. After Gambit (Coons, Burckhardt, Musuvathi, PPoPP 2010, section 3.2);
// unlike there a delta names a choice by its number, not a step, as only choices can be varied.
//
// With every delta comes a sleep set (Godefroid 1996): threads that are not to run before a step
// that depends on what they are about to do, because runs in which they do are made elsewhere. A
// sleeping thread is passed over; when everybody who could run sleeps, the run shows nothing new
// and is blocked. A step after which its thread gives way to others wakes everybody: who has to
// move before it may go on depends on what came before that step. Threads from
// wire::kSearchedThreads on never sleep.
//
// Strict about what the plan names, as DfsPolicy is: a choice that is not of the sort, or among the
// number of candidates, that the delta was made of means that the program depends on something else
// than its schedule.
#pragma once

#include "policy/policy.h"

namespace raddle::policy {

class TreePolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
  bool counts_steps() const override { return may_sleep_; }
  bool took(const Choice& choice, ThreadId thread) override;
  // The sleep set stays: it follows from the deltas before.
  void resume(const PlanView& view, std::uint32_t made) override;
  std::uint64_t asleep() const override { return asleep_; }
  bool blocked() const override { return blocked_; }

  // The index of the delta that could not be followed, if reason() is not null.
  std::uint32_t diverged_at() const { return next_; }
  // Why, in words that follow "the run diverged: "; nullptr if it did not.
  const char* reason() const { return reason_; }

 private:
  void adopt_deltas(const PlanView& view);
  const wire::Deviation* delta_here();
  ThreadId by_default(const Choice& choice) const;
  bool fits(const wire::Deviation& delta, unsigned candidates, bool value);
  void wake_dependent(const Choice& choice, ThreadId thread);
  void wake_after_yield(const Choice& choice, bool goes_on);

  std::span<const wire::Deviation> deltas_;
  const char* reason_ = nullptr;
  std::uint64_t asleep_ = 0;
  std::uint32_t next_ = 0;     // delta
  std::uint32_t choices_ = 0;  // made so far
  bool may_sleep_ = false;
  bool blocked_ = false;
};

}  // namespace raddle::policy
