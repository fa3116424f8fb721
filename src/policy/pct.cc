// SPDX-License-Identifier: Apache-2.0
//
// See pct.h.
#include "policy/pct.h"

#include "base/check.h"

namespace raddle::policy {
namespace {

// Initial priorities have the top bit, so that they lie above those of the change points.
constexpr std::uint64_t kInitial = std::uint64_t{1} << 63;
constexpr std::uint64_t kIdMask = kMaxThreads - 1;
static_assert((kMaxThreads & kIdMask) == 0, "ids fill the low bits of a priority");

}  // namespace

void PctPolicy::begin(const PlanView& view) {
  const wire::Plan& plan = view.plan;
  RADDLE_CHECK(plan.depth <= kPctDepthMax);
  rng_ = Rng(plan.seed);
  seen_ = 0;
  picked_ = kNoThread;
  next_change_ = 0;
  change_count_ = 0;
  std::uint32_t steps = plan.expected_steps > 0 ? plan.expected_steps : 1;
  for (std::uint32_t i = 1; i < plan.depth; ++i) {
    ChangePoint change{rng_.below(steps) + 1, i};
    std::uint32_t at = change_count_++;
    for (; at > 0 && changes_[at - 1].after > change.after; --at) changes_[at] = changes_[at - 1];
    changes_[at] = change;
  }
}

ThreadId PctPolicy::pick(const Choice& choice) {
  if (seen_ < choice.thread_count) draw_priorities(choice.thread_count);
  if (next_change_ < change_count_ && changes_[next_change_].after <= choice.step)
    lower_due(choice);
  ThreadId best = kNoThread;
  std::uint64_t best_priority = 0;  // below every priority in use
  choice.enabled.for_each([&](ThreadId t) {
    if (priority_[t] > best_priority) {
      best = t;
      best_priority = priority_[t];
    }
  });
  picked_ = best;
  picked_at_ = choice.step;
  return best;
}

std::uint32_t PctPolicy::value(std::uint32_t bound, StepIndex) { return rng_.below(bound); }

void PctPolicy::draw_priorities(ThreadId thread_count) {
  for (; seen_ < thread_count; ++seen_)
    priority_[seen_] = kInitial | (rng_.next() & ~kIdMask) | seen_;
}

void PctPolicy::lower_due(const Choice& choice) {
  for (; next_change_ < change_count_; ++next_change_) {
    const ChangePoint& change = changes_[next_change_];
    if (change.after > choice.step) return;
    bool was_picked = picked_ != kNoThread && change.after == picked_at_ + 1;
    ThreadId runner = was_picked ? picked_ : choice.current;
    if (runner < choice.thread_count) priority_[runner] = change.priority;
  }
}

}  // namespace raddle::policy
