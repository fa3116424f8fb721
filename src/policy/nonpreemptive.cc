// SPDX-License-Identifier: Apache-2.0
//
// See nonpreemptive.h.
#include "policy/nonpreemptive.h"

namespace raddle::policy {

void NonpreemptivePolicy::begin(const PlanView&) {}

ThreadId NonpreemptivePolicy::pick(const Choice& choice) {
  return choice.enabled.contains(choice.current) ? choice.current : choice.enabled.first();
}

std::uint32_t NonpreemptivePolicy::value(std::uint32_t, StepIndex) { return 0; }

}  // namespace raddle::policy
