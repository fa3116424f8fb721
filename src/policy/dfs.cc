// SPDX-License-Identifier: Apache-2.0
//
// See dfs.h.
#include "policy/dfs.h"

#include "policy/dfs_step.h"

namespace raddle::policy {
namespace {

// Requires: rank < choice.enabled.size().
ThreadId ranked(const Choice& choice, unsigned rank) {
  if (!choice.enabled.contains(choice.current)) return choice.enabled.nth(rank);
  // Of two the other one is known without counting, and without a branch that hangs on the rank.
  std::uint64_t word = choice.enabled.first_word();
  std::uint64_t others = choice.current < 64 ? word & ~(std::uint64_t{1} << choice.current) : 0;
  if (choice.enabled.size() == 2 && others != 0) {
    auto other = static_cast<ThreadId>(__builtin_ctzll(others));
    return rank == 0 ? choice.current : other;
  }
  if (rank == 0) return choice.current;
  // Those below the current thread have moved up by one.
  ThreadId below = choice.enabled.nth(rank - 1);
  return below < choice.current ? below : choice.enabled.nth(rank);
}

}  // namespace

void DfsPolicy::begin(const PlanView& view) {
  auto ranks = view.steering.rows<wire::SteeringKind::ranks>();
  ranks_ = ranks.data();
  count_ = static_cast<std::uint32_t>(ranks.size());
  next_ = 0;
  reason_ = nullptr;
}

ThreadId DfsPolicy::pick(const Choice& choice) {
  if (next_ == count_)
    return choice.enabled.contains(choice.current) ? choice.current : choice.enabled.first();
  if (!fits(choice.enabled.size(), choice.step, false)) return kNoThread;
  return ranked(choice, ranks_[next_++].picked);
}

std::uint32_t DfsPolicy::value(std::uint32_t bound, StepIndex step) {
  if (next_ == count_) return 0;
  if (!fits(bound, step, true)) return bound;
  return ranks_[next_++].picked;
}

void DfsPolicy::resume(const PlanView& view, std::uint32_t made) {
  begin(view);
  next_ = made < count_ ? made : count_;
}

bool DfsPolicy::fits(unsigned candidates, StepIndex step, bool value) {
  const wire::ChoiceRecord& record = ranks_[next_];
  unsigned recorded = candidates < kDfsWide ? candidates : kDfsWide;
  if (reason_ != nullptr) return false;
  if (value != (record.kind == wire::OpKind::value))
    reason_ = value ? "the run has to choose a value where it had to choose a thread before"
                    : "the run has to choose a thread where it had to choose a value before";
  else if (record.step != wire::kAnyStep && record.step != step)
    reason_ = "the run came to this choice at another step before";
  else if ((record.enabled != 0 && record.enabled != recorded) || record.picked >= candidates)
    reason_ = "the run had another number of candidates at this choice before";
  return reason_ == nullptr;
}

}  // namespace raddle::policy
