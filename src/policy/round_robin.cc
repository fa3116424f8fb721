// SPDX-License-Identifier: Apache-2.0
//
// See round_robin.h.
#include "policy/round_robin.h"

namespace raddle::policy {

void RoundRobinPolicy::begin(const PlanView&) {}

ThreadId RoundRobinPolicy::pick(const Choice& choice) {
  // Before the first step current is kNoThread, which is beyond every member.
  ThreadId next = choice.enabled.next_from(choice.current + 1u);
  return next != kNoThread ? next : choice.enabled.first();
}

std::uint32_t RoundRobinPolicy::value(std::uint32_t, StepIndex) { return 0; }

}  // namespace raddle::policy
