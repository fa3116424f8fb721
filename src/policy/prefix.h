// SPDX-License-Identifier: Apache-2.0
//
// PrefixPolicy: follows the choices that the plan begins with (SteeringKind::choices), then leaves
// the run to another policy.
// Target side, built for both.
//
// Lenient: searches extend and mutate prefixes, and schedules are shrunk by leaving choices out, so
// a choice that does not fit (the thread cannot be chosen, a value where a thread is to be chosen
// or the other way round, a value out of bounds) ends the prefix there and the rest of it is
// dropped. Steps and kinds of operations are not compared; that is ReplayPolicy's task.
#pragma once

#include "policy/policy.h"

namespace raddle::policy {

class PrefixPolicy final : public Policy {
 public:
  // `rest` decides after the prefix; it must outlive this policy.
  explicit PrefixPolicy(Policy& rest) : rest_(rest) {}

  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
  bool counts_steps() const override { return rest_.counts_steps(); }
  bool took(const Choice& choice, ThreadId thread) override { return rest_.took(choice, thread); }

  // How many choices of the prefix have been followed, and whether the rest was dropped.
  std::uint32_t followed() const { return next_; }
  bool dropped() const { return dropped_; }

 private:
  bool active() const { return next_ < prefix_.size() && !dropped_; }

  Policy& rest_;
  std::span<const wire::ChoiceRecord> prefix_;
  std::uint32_t next_ = 0;
  bool dropped_ = false;
};

}  // namespace raddle::policy
