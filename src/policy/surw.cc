// SPDX-License-Identifier: Apache-2.0
//
// See surw.h.
#include "policy/surw.h"

#include "model/interest.h"

namespace raddle::policy {

void SurwPolicy::begin(const PlanView& view) {
  rng_ = Rng(view.plan.seed);
  interest_ = view.interest;
  locate_ = view.locate;
  intended_ = kNoThread;
  seen_ = 0;
  weights_.begin(view);
}

ThreadId SurwPolicy::pick(const Choice& choice) {
  admit(choice);
  choice.enabled.for_each([&](ThreadId t) { entry_of(choice, t); });
  if (intended_ == kNoThread || !choice.enabled.contains(intended_)) intend(choice);
  ThreadId best = kNoThread;
  choice.enabled.for_each([&](ThreadId t) {
    const Entry& entry = entries_[t];
    if (entry.interesting && t != intended_) return;
    if (best == kNoThread || entry.score > entries_[best].score) best = t;
  });
  // Somebody is left: the intended thread, or, if there is none, all, for none is interesting.
  account(entries_[best], best);
  return best;
}

bool SurwPolicy::took(const Choice& choice, ThreadId thread) {
  admit(choice);
  account(entry_of(choice, thread), thread);
  return true;
}

std::uint32_t SurwPolicy::value(std::uint32_t bound, StepIndex) { return rng_.below(bound); }

void SurwPolicy::admit(const Choice& choice) {
  // What was intended for the creator may have been its child's: it is drawn between the two.
  weights_.admit(choice.thread_count, [&](ThreadId created, ThreadId creator) {
    std::uint64_t both = std::uint64_t{weights_.left(created)} + weights_.left(creator);
    if (intended_ != creator || both == 0) return;
    auto at =
        static_cast<std::uint64_t>((static_cast<unsigned __int128>(rng_.next()) * both) >> 64);
    if (at < weights_.left(created)) intended_ = created;
  });
  // A serial that is not the pending operation's stands for "not looked at yet".
  for (; seen_ < choice.thread_count; ++seen_)
    entries_[seen_].serial = choice.threads[seen_].op.serial - 1;
}

const SurwPolicy::Entry& SurwPolicy::entry_of(const Choice& choice, ThreadId t) {
  Entry& entry = entries_[t];
  const model::PendingOp& op = choice.threads[t].op;
  if (entry.serial != op.serial) entry = {rng_.next(), op.serial, is_interesting(op)};
  return entry;
}

bool SurwPolicy::is_interesting(const model::PendingOp& op) const {
  if (interest_ == nullptr || interest_->place_count == 0) return true;
  if (op.address == 0 || locate_ == nullptr || !model::decides_order(op.kind)) return false;
  wire::Location where = locate_(op.address);
  for (unsigned i = 0; i < interest_->place_count && i < wire::kInterestingMax; ++i)
    if (interest_->places[i] == where) return true;
  return false;
}

void SurwPolicy::intend(const Choice& choice) {
  intended_ = draw_weighted(rng_, choice.enabled, [&](ThreadId t) {
    std::uint32_t left = weights_.left(t);
    return left == 0 && entries_[t].interesting ? 1 : left;
  });
}

// Thread t carries out the operation of the entry.
void SurwPolicy::account(const Entry& entry, ThreadId t) {
  if (!entry.interesting) return;
  weights_.spend(t);
  intended_ = kNoThread;
}

}  // namespace raddle::policy
