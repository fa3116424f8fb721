// SPDX-License-Identifier: Apache-2.0
//
// ReplayPolicy: follows a recorded schedule exactly, and says where and why a run leaves it. Target
// side, built for both.
//
// Strict: the plan says the whole run (SteeringKind::recorded). The first choice that does not fit
// diverges; from then on pick() returns kNoThread and value() its bound, and the first reason is
// kept. Hand-written schedules may leave a step (kAnyStep) or the kind of an operation
// (OpKind::none) open.
#pragma once

#include "policy/policy.h"

namespace raddle::policy {

using wire::kAnyStep;

class ReplayPolicy final : public Policy {
 public:
  static constexpr std::uint32_t kNotDiverged = 0xffffffff;

  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;

  // How many recorded choices have been followed. A run that ends with fewer than there
  // are has ended early: only the controller knows whether that is a divergence.
  std::uint32_t followed() const { return next_; }
  // Index of the recorded choice that did not fit (their number if there was none left), or
  // kNotDiverged.
  std::uint32_t diverged_at() const { return diverged_at_; }
  // Why, in words that follow "the run diverged: "; nullptr if it did not.
  const char* reason() const { return reason_; }

 private:
  const wire::ChoiceRecord* expect(StepIndex step);
  void diverge(const char* reason);

  std::span<const wire::ChoiceRecord> recorded_;
  const char* reason_ = nullptr;
  std::uint32_t next_ = 0;
  std::uint32_t diverged_at_ = kNotDiverged;
};

}  // namespace raddle::policy
