// SPDX-License-Identifier: Apache-2.0
//
// RoundRobinPolicy: the next enabled thread in the order of ids, at every choice. Target side,
// built for both.
//
// Deterministic: seed and parameters of the plan do not matter, values are always 0. It switches as
// often as it can, the opposite extreme of NonpreemptivePolicy.
#pragma once

#include "policy/policy.h"

namespace raddle::policy {

class RoundRobinPolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
};

}  // namespace raddle::policy
