// SPDX-License-Identifier: Apache-2.0
//
// NonpreemptivePolicy: the running thread goes on while it can, then the lowest enabled id. Target
// side, built for both.
//
// Deterministic: seed and parameters of the plan do not matter, values are always 0. The run it
// gives has the fewest switches; campaigns begin with it to learn how long a run is, and shrinking
// measures schedules against it.
#pragma once

#include "policy/policy.h"

namespace raddle::policy {

class NonpreemptivePolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
};

}  // namespace raddle::policy
