// SPDX-License-Identifier: Apache-2.0
//
// See tree.h.
#include "policy/tree.h"

#include "model/dependence.h"

namespace raddle::policy {
namespace {

using wire::Deviation;

constexpr unsigned kWide = 255;  // candidates that a record cannot tell from more

bool in(std::uint64_t set, ThreadId thread) {
  return thread < wire::kSearchedThreads && (set >> thread & 1) != 0;
}

}  // namespace

void TreePolicy::begin(const PlanView& view) {
  adopt_deltas(view);
  next_ = choices_ = 0;
  asleep_ = 0;
  reason_ = nullptr;
  blocked_ = false;
}

void TreePolicy::adopt_deltas(const PlanView& view) {
  deltas_ = view.steering.rows<wire::SteeringKind::deviations>();
  may_sleep_ = false;
  for (const Deviation& delta : deltas_) may_sleep_ |= delta.asleep != 0;
}

void TreePolicy::resume(const PlanView& view, std::uint32_t made) {
  adopt_deltas(view);
  choices_ = made;
  for (next_ = 0; next_ < deltas_.size() && deltas_[next_].choice.step < made;) ++next_;
}

const Deviation* TreePolicy::delta_here() {
  std::uint32_t choice = choices_++;
  return next_ < deltas_.size() && deltas_[next_].choice.step == choice ? &deltas_[next_] : nullptr;
}

ThreadId TreePolicy::by_default(const Choice& choice) const {
  if (choice.enabled.contains(choice.current) && !in(asleep_, choice.current))
    return choice.current;
  ThreadId thread = choice.enabled.first();
  while (thread != kNoThread && in(asleep_, thread)) thread = choice.enabled.next_from(thread + 1u);
  return thread;
}

ThreadId TreePolicy::pick(const Choice& choice) {
  if (reason_ != nullptr) return kNoThread;
  wake_after_yield(choice, choice.enabled.contains(choice.current));
  if (const Deviation* delta = delta_here()) {
    ThreadId thread = delta->choice.picked;
    if (!fits(*delta, choice.enabled.size(), false)) return kNoThread;
    if (!choice.enabled.contains(thread)) {
      reason_ = "the thread to go on with cannot run here";
      return kNoThread;
    }
    ++next_;
    asleep_ = delta->asleep;
    return thread;
  }
  ThreadId thread = by_default(choice);
  blocked_ = thread == kNoThread;
  if (!blocked_ && asleep_ != 0) wake_dependent(choice, thread);
  return thread;
}

bool TreePolicy::took(const Choice& choice, ThreadId thread) {
  wake_after_yield(choice, thread == choice.current);
  if (asleep_ == 0) return true;
  blocked_ = in(asleep_, thread);
  wake_dependent(choice, thread);
  return !blocked_;
}

std::uint32_t TreePolicy::value(std::uint32_t bound, StepIndex) {
  if (reason_ != nullptr) return bound;
  const Deviation* delta = delta_here();
  if (delta == nullptr) return 0;
  if (!fits(*delta, bound, true)) return bound;
  ++next_;
  asleep_ = delta->asleep;
  return delta->choice.picked;
}

bool TreePolicy::fits(const Deviation& delta, unsigned candidates, bool value) {
  const wire::ChoiceRecord& record = delta.choice;
  unsigned recorded = candidates < kWide ? candidates : kWide;
  if (value != (record.kind == wire::OpKind::value))
    reason_ = value ? "the run has to choose a value where it had to choose a thread before"
                    : "the run has to choose a thread where it had to choose a value before";
  else if (record.enabled != recorded || (value && record.picked >= candidates))
    reason_ = "the run had another number of candidates at this choice before";
  return reason_ == nullptr;
}

void TreePolicy::wake_after_yield(const Choice& choice, bool goes_on) {
  if (asleep_ == 0 || goes_on || choice.current >= choice.thread_count) return;
  if (choice.threads[choice.current].yielding) asleep_ = 0;
}

void TreePolicy::wake_dependent(const Choice& choice, ThreadId thread) {
  const model::PendingOp& op = choice.threads[thread].op;
  for (std::uint64_t left = asleep_; left != 0; left &= left - 1) {
    auto sleeper = static_cast<ThreadId>(__builtin_ctzll(left));
    if (sleeper == thread || model::dependent(choice.threads[sleeper].op, op))
      asleep_ &= ~(std::uint64_t{1} << sleeper);
  }
}

}  // namespace raddle::policy
