// SPDX-License-Identifier: Apache-2.0
//
// From events to steps. Engine side; runs after every run of a search, so it does not allocate once
// its vectors have grown.
#include "search/execution.h"

#include <algorithm>

#include "model/dependence.h"

namespace raddle::search {
namespace {

using model::PendingOp;
using wire::Event;
using wire::OpClass;
using wire::OpKind;

PendingOp to_op(OpKind kind, const Event& event) {
  PendingOp op;
  op.kind = kind;
  op.order = event.order;
  // The size of an event about a signal is its number.
  op.size = wire::is_memory_access(kind) ? event.size : std::uint16_t{0};
  op.site = event.site;
  op.address = event.where.key();
  return op;
}

bool takes_time(OpKind kind) {
  return kind == OpKind::sleep || kind == OpKind::mutex_timed_lock ||
         kind == OpKind::rwlock_timed_read || kind == OpKind::rwlock_timed_write ||
         kind == OpKind::sem_timed_wait;
}

// Whether the event is a part of its step although it is none itself.
bool belongs_to_step(const Event& event) {
  OpClass c = wire::op_class(event.kind);
  bool made_now = (event.flags & wire::kEventRemembered) == 0;
  return c == OpClass::sync || c == OpClass::shared ||
         (wire::is_memory_access(event.kind) && made_now);
}

}  // namespace

void Execution::read(const facts::Run& run) {
  steps_.clear();
  ops_.clear();
  pending_.clear();
  has_signals_ = uses_time_ = went_on_ = false;
  choices_ = run.choices;
  sets_ = run.sets;
  thread_count_ = static_cast<ThreadId>(run.thread_count);
  for (const Event& event : run.events) {
    if ((event.flags & wire::kEventGaveWay) != 0) note_yield(event);
    if ((event.flags & wire::kEventStep) != 0) {
      went_on_ |= !pending_.empty();
      add_step(event);
    } else if (event.kind == OpKind::pending) {
      PendingOp op = to_op(static_cast<OpKind>(event.order), event);
      op.second = event.value;
      pending_.push_back({event.thread, op});
    } else if (!steps_.empty() && event.thread == steps_.back().thread && belongs_to_step(event)) {
      add_op(event);
    }
    if (event.kind != OpKind::frame && event.kind != OpKind::held && event.thread != kNoThread)
      thread_count_ = std::max<ThreadId>(thread_count_, static_cast<ThreadId>(event.thread + 1));
  }
  auto step_count = static_cast<std::uint32_t>(steps_.size());
  step_of_choice_.resize(choices_.size());
  for (std::uint32_t i = 0; i < choices_.size(); ++i) {
    // A value is recorded when its step has been counted.
    std::uint32_t step = choices_[i].step - (is_value(i) && choices_[i].step > 0 ? 1 : 0);
    step_of_choice_[i] = std::min(step, step_count);
    if (is_value(i) || step >= step_count) continue;
    steps_[step].choice = i;
    steps_[step].thread = choices_[i].picked;
  }
}

void Execution::add_step(const Event& event) {
  // A step of which there is no event has touched nothing that is known. Whose it was is known if
  // it was chosen.
  while (steps_.size() < event.step)
    steps_.push_back(
        {kNoThread, static_cast<std::uint32_t>(ops_.size()), 0, kNone, kNoThread, false, false});
  Step step{event.thread, static_cast<std::uint32_t>(ops_.size()), 0,    kNone,
            kNoThread,    (event.flags & wire::kEventFailed) != 0, false};
  if (event.kind == OpKind::thread_create || event.kind == OpKind::thread_join)
    step.other = wire::other_of(event);
  if (steps_.size() == event.step) steps_.push_back(step);
  add_op(event);
}

// The thread has been giving way since its last step.
void Execution::note_yield(const Event& event) {
  for (std::size_t i = steps_.size(); i-- > 0;)
    if (steps_[i].thread == event.thread) {
      steps_[i].yields = true;
      return;
    }
}

void Execution::add_op(const Event& event) {
  has_signals_ |= event.kind == OpKind::signal_handle;
  uses_time_ |= takes_time(event.kind);
  ops_.push_back(to_op(event.kind, event));
  ++steps_.back().op_count;
}

std::span<const PendingOp> Execution::next_ops(ThreadId thread, std::uint32_t from) const {
  for (std::size_t i = from; i < steps_.size(); ++i)
    if (steps_[i].thread == thread) return ops(steps_[i]);
  for (const Pending& pending : pending_)
    if (pending.thread == thread) return {&pending.op, 1};
  return {};
}

bool Execution::preempts(std::uint32_t choice, ThreadId thread) const {
  const wire::ChoiceSets& s = sets_[choice];
  return thread != s.current && (s.enabled & mask_of(s.current)) != 0 && s.voluntary == 0;
}

std::uint32_t Execution::preemptions_with(std::uint32_t choice, ThreadId thread) const {
  return sets_[choice].preemptions + (preempts(choice, thread) ? 1 : 0);
}

bool any_dependent(std::span<const PendingOp> a, std::span<const PendingOp> b) {
  for (const PendingOp& x : a)
    for (const PendingOp& y : b)
      if (model::dependent(x, y)) return true;
  return false;
}

}  // namespace raddle::search
