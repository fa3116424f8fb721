// SPDX-License-Identifier: Apache-2.0
//
// See urw.h.
#include "policy/urw.h"

namespace raddle::policy {

void UrwPolicy::begin(const PlanView& view) {
  rng_ = Rng(view.plan.seed);
  weights_.begin(view);
}

ThreadId UrwPolicy::pick(const Choice& choice) {
  weights_.admit(choice.thread_count);
  ThreadId drawn = draw_weighted(rng_, choice.enabled, [&](ThreadId t) {
    std::uint32_t left = weights_.left(t);
    return left > 0 ? left : 1;
  });
  weights_.spend(drawn);
  return drawn;
}

bool UrwPolicy::took(const Choice& choice, ThreadId thread) {
  weights_.admit(choice.thread_count);
  weights_.spend(thread);
  return true;
}

std::uint32_t UrwPolicy::value(std::uint32_t bound, StepIndex) { return rng_.below(bound); }

}  // namespace raddle::policy
