// SPDX-License-Identifier: Apache-2.0
//
// See pos.h.
#include "policy/pos.h"

#include "model/dependence.h"

namespace raddle::policy {

void PosPolicy::begin(const PlanView& view) {
  rng_ = Rng(view.plan.seed);
  seen_ = 0;
}

ThreadId PosPolicy::pick(const Choice& choice) {
  // A serial that is not the pending operation's stands for "no score yet".
  for (; seen_ < choice.thread_count; ++seen_)
    entries_[seen_].serial = choice.threads[seen_].op.serial - 1;
  ThreadId best = kNoThread;
  std::uint64_t best_score = 0;
  choice.enabled.for_each([&](ThreadId t) {
    Entry& entry = entries_[t];
    std::uint32_t serial = choice.threads[t].op.serial;
    if (entry.serial != serial) entry = {rng_.next(), serial};
    if (best == kNoThread || entry.score > best_score) {
      best = t;
      best_score = entry.score;
    }
  });
  // The executed one too: should its thread come back with it, it must not win by its old score.
  const model::PendingOp& executed = choice.threads[best].op;
  choice.enabled.for_each([&](ThreadId t) {
    if (t == best || model::dependent(executed, choice.threads[t].op))
      entries_[t].score = rng_.next();
  });
  return best;
}

std::uint32_t PosPolicy::value(std::uint32_t bound, StepIndex) { return rng_.below(bound); }

}  // namespace raddle::policy
