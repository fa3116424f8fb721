// SPDX-License-Identifier: Apache-2.0
//
// Finding the races of a run. Engine side.
#include "search/reversals.h"

#include <algorithm>

namespace raddle::search {
namespace {

using model::PendingOp;
using wire::OpKind;

// What an operation that was never carried out would have touched: a condvar's mutex as well.
void spread(const PendingOp& op, PendingOp (&ops)[2], std::size_t* count) {
  ops[0] = op;
  ops[0].second = 0;
  *count = 1;
  if (op.second == 0) return;
  ops[1] = op;
  ops[1].kind = op.kind == OpKind::cond_wake ? OpKind::mutex_lock : OpKind::mutex_unlock;
  ops[1].address = op.second;
  ops[1].second = 0;
  *count = 2;
}

}  // namespace

std::span<const Reversal> Reversals::find(const Execution& execution, std::uint32_t first,
                                          bool ended_early) {
  execution_ = &execution;
  found_.clear();
  order_.begin(execution);
  auto count = static_cast<std::uint32_t>(execution.steps().size());
  for (now_ = 0; now_ < count; ++now_) {
    const Execution::Step& step = execution.steps()[now_];
    if (step.thread == kNoThread) {
      order_.add_unknown();
      continue;
    }
    order_.begin_step(step);
    if (now_ >= first) look_back(execution.ops(step), step.thread);
    order_.add(now_);
  }
  for (const Execution::Pending& pending : execution.pending()) {
    PendingOp ops[2];
    std::size_t op_count;
    spread(pending.op, ops, &op_count);
    order_.begin_step(pending.thread);
    look_back({ops, op_count}, pending.thread);
  }
  if (ended_early) put_off_the_end();
  // The deepest are the last, so that a stack yields them first.
  std::ranges::stable_sort(found_, {}, &Reversal::choice);
  return found_;
}

void Reversals::look_back(std::span<const PendingOp> ops, ThreadId thread) {
  for (const PendingOp& op : ops) {
    // What a thread does when it is alone comes after the rest of its step.
    if (&op != ops.data() && comes_after_step(op.kind))
      for (const PendingOp* earlier = ops.data(); earlier != &op; ++earlier)
        order_.see_before(*earlier, thread);
    // A timed lock may give up before the mutex is free.
    bool lock = op.kind == OpKind::mutex_lock;
    bool waits = !lock && model::may_wait(op.kind);
    met_.clear();
    order_.for_each_met(op, thread, [&](const TraceOrder::Met& met) {
      if (order_.seen(met.step)) return !met.covers;
      if (lock && !met.was_free) return true;
      // With another one in between the two do not race.
      auto follows = [&](std::uint32_t later) { return order_.before(met.step, later); };
      if (!waits && std::ranges::any_of(met_, follows)) return !met.covers;
      met_.push_back(met.step);
      reverse(met.step, ops, thread, waits);
      return waits || !met.covers;
    });
  }
}

// The initials of the steps after the earlier one, before `end`, that do not follow it; visits
// each.
template <class Visit>
Mask Reversals::initials(std::uint32_t earlier, std::uint32_t end, Visit visit) {
  Mask result = 0;
  ThreadId threads = std::max<ThreadId>(execution_->thread_count(), 1);
  first_of_.assign(threads, 0);
  for (std::uint32_t step = earlier + 1; step < end; ++step) {
    const Execution::Step& made = execution_->steps()[step];
    if (made.thread == kNoThread || order_.before(earlier, step)) continue;
    if (first_of_[made.thread] == 0) {
      bool initial = true;
      for (ThreadId t = 0; t < threads && initial; ++t)
        initial = first_of_[t] == 0 || !order_.before(t, first_of_[t], step);
      if (initial) result |= mask_of(made.thread);
      first_of_[made.thread] = order_.ordinal(step);
    }
    visit(step);
  }
  return result;
}

void Reversals::reverse(std::uint32_t earlier, std::span<const PendingOp> ops, ThreadId thread,
                        bool conservative) {
  bool follows = false;  // the racing step follows something in v
  Mask any = initials(earlier, now_, [&](std::uint32_t step) {
    follows = follows || order_.seen(step) ||
              any_dependent(execution_->ops(execution_->steps()[step]), ops);
  });
  bool by_itself = first_of_[thread] == 0 && !follows;
  if (by_itself) any |= mask_of(thread);
  // If it would have had to wait there, nothing that is in v could have let it go on, but for moves
  // of those to whom it has to give way.
  Mask possible = by_itself && !yields_at(thread, earlier) ? mask_of(thread) : any;
  if ((possible & enabled_at(earlier)) == 0) return yield_earlier(earlier, possible);
  add(earlier, any, thread, conservative);
}

// Who could run in place of that step.
Mask Reversals::enabled_at(std::uint32_t step) const {
  const Execution::Step& made = execution_->steps()[step];
  return made.choice == kNone ? mask_of(made.thread) : execution_->sets(made.choice).enabled;
}

void Reversals::add(std::uint32_t earlier, Mask any, ThreadId thread, bool conservative) {
  std::uint32_t choice = execution_->steps()[earlier].choice;
  Mask enabled = enabled_at(earlier);
  if (choice == kNone || (any & enabled) == 0) return;
  bool wanted = (any & enabled & mask_of(thread)) != 0;
  auto first = static_cast<ThreadId>(__builtin_ctzll(any & enabled));
  found_.push_back({choice, any, wanted ? thread : first, conservative || !wanted});
}

// The threads could not run in place of that step. One that had yielded may only have had to give
// way to another, which has not moved since: it need not have, had it yielded before the last step
// of the other.
void Reversals::yield_earlier(std::uint32_t step, Mask threads) {
  for (; threads != 0; threads &= threads - 1) {
    auto thread = static_cast<ThreadId>(__builtin_ctzll(threads));
    std::uint32_t yield = last_before(thread, step);
    if (yield == kNone || !execution_->steps()[yield].yields) continue;
    for (ThreadId other = 0; other < execution_->thread_count(); ++other) {
      std::uint32_t moved = other == thread ? kNone : last_move(other, yield, step);
      if (moved == kNone || order_.before(moved, yield)) continue;
      Mask any = initials(moved, yield + 1, [](std::uint32_t) {});
      if ((any & enabled_at(moved)) == 0)
        yield_earlier(moved, any);
      else
        add(moved, any, thread, true);
    }
  }
}

// The last step that made or let the thread move before the yield, if there is none between the
// yield and `step`.
std::uint32_t Reversals::last_move(ThreadId thread, std::uint32_t yield, std::uint32_t step) const {
  std::uint32_t last = last_before(thread, step);
  if (last != kNone && last > yield) return kNone;
  auto next = execution_->next_ops(thread, yield);
  for (std::uint32_t i = yield; i-- > (last == kNone ? 0 : last);) {
    const Execution::Step& made = execution_->steps()[i];
    bool creates = made.other == thread && execution_->ops(made)[0].kind == OpKind::thread_create;
    if (made.thread == thread || creates || any_dependent(execution_->ops(made), next)) return i;
  }
  return kNone;
}

bool Reversals::yields_at(ThreadId thread, std::uint32_t step) const {
  std::uint32_t last = last_before(thread, step);
  return last != kNone && execution_->steps()[last].yields;
}

std::uint32_t Reversals::last_before(ThreadId thread, std::uint32_t step) const {
  while (step-- > 0)
    if (execution_->steps()[step].thread == thread) return step;
  return kNone;
}

void Reversals::put_off_the_end() {
  if (now_ == 0) return;
  std::uint32_t choice = execution_->steps()[now_ - 1].choice;
  if (choice == kNone) return;
  Mask enabled = execution_->sets(choice).enabled;
  for (const Execution::Pending& pending : execution_->pending())
    if ((enabled & mask_of(pending.thread)) != 0)
      found_.push_back({choice, mask_of(pending.thread), pending.thread, true});
}

}  // namespace raddle::search
