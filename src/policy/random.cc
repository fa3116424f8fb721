// SPDX-License-Identifier: Apache-2.0
//
// See random.h.
#include "policy/random.h"

namespace raddle::policy {

void RandomPolicy::begin(const PlanView& view) {
  rng_ = Rng(view.plan.seed);
  next_ = rng_.next();
}

ThreadId RandomPolicy::pick(const Choice& choice) {
  constexpr unsigned kFew = 8;
  unsigned size = choice.enabled.size();
  if (std::uint64_t word = choice.enabled.first_word(); size == 2 && (word & (word - 1)) != 0)
    return pick_of_pair(word);
  unsigned rank = below(size);
  if (size > kFew) return choice.enabled.nth(rank);
  // nth() loops up to a random rank, which no branch predictor foresees; listing few members always
  // takes the same path, in half the time.
  ThreadId members[kFew];
  unsigned count = 0;
  choice.enabled.for_each([&](ThreadId t) { members[count++] = t; });
  return members[rank];
}

std::uint32_t RandomPolicy::value(std::uint32_t bound, StepIndex) { return below(bound); }

}  // namespace raddle::policy
