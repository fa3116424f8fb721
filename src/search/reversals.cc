// SPDX-License-Identifier: Apache-2.0
//
// Finding the races of a run. Engine side.
#include "search/reversals.h"

#include <algorithm>

namespace raddle::search {
namespace {

using model::PendingOp;
using wire::OpKind;

bool is_lock(OpKind kind) { return kind == OpKind::mutex_lock; }

// Whether the operation is possible only when its object grants it. A mutex's are told apart.
bool may_wait(OpKind kind) {
  switch (kind) {
    case OpKind::mutex_timed_lock:  // it may give up before the mutex is free
    case OpKind::rwlock_read:
    case OpKind::rwlock_timed_read:
    case OpKind::rwlock_write:
    case OpKind::rwlock_timed_write:
    case OpKind::cond_wake:
    case OpKind::sem_wait:
    case OpKind::sem_timed_wait:
    case OpKind::barrier_leave:
    case OpKind::once_enter:
    case OpKind::futex_resume:
    case OpKind::io_read:
    case OpKind::io_write:
    case OpKind::io_poll:
    case OpKind::io_accept:
    case OpKind::io_connect:
    case OpKind::file_lock:
    case OpKind::child_wait:
    case OpKind::team_idle:
    case OpKind::work_claim:
    case OpKind::work_ordered:
    case OpKind::task_wait:
    case OpKind::event:
      return true;
    default:
      return false;
  }
}

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
    order_.begin_step(step);
    look_back(execution.ops(step), step.thread, now_ >= first);
    order_.add(now_);
  }
  for (const Execution::Pending& pending : execution.pending()) {
    PendingOp ops[2];
    std::size_t op_count;
    spread(pending.op, ops, &op_count);
    order_.begin_step(pending.thread);
    look_back({ops, op_count}, pending.thread, true);
  }
  if (ended_early) put_off_the_end();
  // The deepest are the last, so that a stack yields them first.
  std::ranges::stable_sort(found_, {}, &Reversal::choice);
  return found_;
}

void Reversals::look_back(std::span<const PendingOp> ops, ThreadId thread, bool races) {
  for (const PendingOp& op : ops) {
    if (!races) {
      order_.see_before(op, thread);
      continue;
    }
    bool lock = is_lock(op.kind), waits = may_wait(op.kind);
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
    order_.see_before(op, thread);
  }
}

// The initials of v; *by_itself: the thread's is its racing step.
Mask Reversals::initials(std::uint32_t earlier, std::span<const PendingOp> ops, ThreadId thread,
                         bool* by_itself) {
  Mask result = 0;
  ThreadId threads = std::max<ThreadId>(execution_->thread_count(), 1);
  first_of_.assign(threads, 0);
  bool follows = false;  // the racing step follows something in v
  for (std::uint32_t step = earlier + 1; step < now_; ++step) {
    if (order_.before(earlier, step)) continue;
    const Execution::Step& made = execution_->steps()[step];
    if (first_of_[made.thread] == 0) {
      bool initial = true;
      for (ThreadId t = 0; t < threads && initial; ++t)
        initial = first_of_[t] == 0 || !order_.before(t, first_of_[t], step);
      if (initial) result |= mask_of(made.thread);
      first_of_[made.thread] = order_.ordinal(step);
    }
    follows = follows || order_.seen(step) || any_dependent(execution_->ops(made), ops);
  }
  *by_itself = first_of_[thread] == 0 && !follows;
  return result | (*by_itself ? mask_of(thread) : 0);
}

void Reversals::reverse(std::uint32_t earlier, std::span<const PendingOp> ops, ThreadId thread,
                        bool conservative) {
  std::uint32_t choice = execution_->steps()[earlier].choice;
  if (choice == kNone) return;
  Mask enabled = execution_->sets(choice).enabled;
  bool by_itself;
  Mask any = initials(earlier, ops, thread, &by_itself);
  // It would have had to wait there.
  if (by_itself && (enabled & mask_of(thread)) == 0) return;
  if ((any & enabled) == 0) return;
  bool wanted = (any & enabled & mask_of(thread)) != 0;
  auto first = static_cast<ThreadId>(__builtin_ctzll(any & enabled));
  found_.push_back({choice, any, wanted ? thread : first, conservative || !wanted});
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
