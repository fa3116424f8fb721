// SPDX-License-Identifier: Apache-2.0
//
// Clocks and chains. Engine side; runs on every step of every run of a search.
#include "search/trace_order.h"

#include <algorithm>

#include "model/dependence.h"

namespace raddle::search {
namespace {

using model::PendingOp;
using wire::OpClass;
using wire::OpKind;

constexpr std::uint16_t kWideBytes = 64;

}  // namespace

bool is_wide(const PendingOp& op) {
  if (model::concerns_all(op.kind) || model::concerns_all_io(op.kind)) return true;
  return op.kind == OpKind::memory_free ||
         (wire::is_memory_access(op.kind) && op.size > kWideBytes);
}

bool covers(const PendingOp& earlier, const PendingOp& op) {
  if (!wire::is_memory_access(op.kind))
    return wire::op_class(earlier.kind, earlier.order) == OpClass::sync;
  return wire::writes_memory(earlier.kind) && earlier.address <= op.address &&
         earlier.address + earlier.size >= op.address + op.size;
}

bool ops_depend(const PendingOp& a, const PendingOp& b) { return model::dependent(a, b); }

void TraceOrder::begin(const Execution& execution) {
  execution_ = &execution;
  threads_ = std::max<std::size_t>(execution.thread_count(), 1);
  clocks_.clear();
  ordinal_.clear();
  entries_.clear();
  wide_.clear();
  chains_.clear();
  now_.assign(threads_, 0);
  last_.assign(threads_, kNone);
  born_.assign(threads_, kNone);
}

void TraceOrder::see(const std::uint32_t* clock) {
  for (std::size_t t = 0; t < threads_; ++t) now_[t] = std::max(now_[t], clock[t]);
}

void TraceOrder::begin_step(ThreadId thread) {
  std::uint32_t from = last_[thread] != kNone ? last_[thread] : born_[thread];
  if (from == kNone)
    std::fill(now_.begin(), now_.end(), 0);
  else
    std::copy_n(clock_of(from), threads_, now_.begin());
}

void TraceOrder::begin_step(const Execution::Step& step) {
  begin_step(step.thread);
  see_joined(step);
}

void TraceOrder::see_joined(const Execution::Step& step) {
  std::span<const PendingOp> ops = execution_->ops(step);
  bool joins = !ops.empty() && ops[0].kind == OpKind::thread_join && !step.failed;
  if (joins && step.other < threads_ && last_[step.other] != kNone)
    see(clock_of(last_[step.other]));
}

void TraceOrder::see_before(const PendingOp& op, ThreadId thread) {
  for_each_met(op, thread, [&](const Met& met) {
    see(clock_of(met.step));
    return !met.covers;
  });
}

void TraceOrder::add_unknown() {
  ordinal_.push_back(0);
  clocks_.resize(clocks_.size() + threads_, 0);
}

void TraceOrder::add(std::uint32_t step) {
  const Execution::Step& made = execution_->steps()[step];
  std::span<const PendingOp> ops = execution_->ops(made);
  see_joined(made);
  for (const PendingOp& op : ops) see_before(op, made.thread);
  std::uint32_t before = last_[made.thread];
  ordinal_.push_back(before == kNone ? 1 : ordinal_[before] + 1);
  now_[made.thread] = ordinal_.back();
  clocks_.insert(clocks_.end(), now_.begin(), now_.end());
  last_[made.thread] = step;
  if (made.other < threads_ && ops[0].kind == OpKind::thread_create) born_[made.other] = step;
  for (std::uint32_t i = 0; i < ops.size(); ++i) enter(step, i);
}

void TraceOrder::enter(std::uint32_t step, std::uint32_t op) {
  const PendingOp& made = execution_->ops(execution_->steps()[step])[op];
  if (is_wide(made)) {
    if (wide_.empty() || wide_.back() != step) wide_.push_back(step);
    return;
  }
  for_each_chain(made, [&](std::uint64_t key) { chain(key, step, op); });
}

void TraceOrder::chain(std::uint64_t key, std::uint32_t step, std::uint32_t op) {
  const Execution::Step& made = execution_->steps()[step];
  OpKind kind = execution_->ops(made)[op].kind;
  Chain& chain = chains_[key];
  bool locks = kind == OpKind::mutex_lock || kind == OpKind::mutex_try_lock ||
               kind == OpKind::mutex_timed_lock;
  // Whoever gets it from another found it free, whatever became of its owner.
  bool free = chain.owner == kNoThread || (locks && !made.failed && chain.owner != made.thread);
  if (free) chain.depth = 0;
  if (locks && !made.failed) {
    chain.owner = made.thread;
    ++chain.depth;
  } else if (kind == OpKind::mutex_unlock && !made.failed && chain.depth > 0 &&
             --chain.depth == 0) {
    chain.owner = kNoThread;
  }
  entries_.push_back({step, op, chain.last == 0 ? kNone : chain.last - 1, free});
  chain.last = static_cast<std::uint32_t>(entries_.size());
}

}  // namespace raddle::search
