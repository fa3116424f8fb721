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
  has_signals_ = uses_time_ = false;
  choices_ = run.choices;
  sets_ = run.sets;
  stacks_ = run.stacks;
  thread_count_ = static_cast<ThreadId>(run.thread_count);
  for (std::uint32_t index = 0; index < run.events.size(); ++index) {
    const Event& event = run.events[index];
    if ((event.flags & wire::kEventGaveWay) != 0) note_yield(event);
    if ((event.flags & wire::kEventStep) != 0) {
      add_step(event, index);
    } else if (event.kind == OpKind::pending) {
      PendingOp op = to_op(static_cast<OpKind>(event.order), event);
      op.order = event.reserved;
      op.second = event.value;
      pending_.push_back({event.thread, op, index, (event.flags & wire::kEventChoice) != 0});
    } else if (!steps_.empty() && event.thread == steps_.back().thread && belongs_to_step(event)) {
      add_op(event);
    }
    if (event.kind != OpKind::frame && event.kind != OpKind::held && event.thread != kNoThread)
      thread_count_ = std::max<ThreadId>(thread_count_, static_cast<ThreadId>(event.thread + 1));
  }
  add_last_step();
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

void Execution::add_step(const Event& event, std::uint32_t index) {
  auto first_op = static_cast<std::uint32_t>(ops_.size());
  // A step of which there is no event has touched nothing that is known. Whose it was is known if
  // it was chosen.
  while (steps_.size() < event.step) steps_.push_back({.thread = kNoThread, .first_op = first_op});
  Step step{.thread = event.thread,
            .first_op = first_op,
            .failed = (event.flags & wire::kEventFailed) != 0,
            .event = index};
  if (event.kind == OpKind::thread_create || event.kind == OpKind::thread_join)
    step.other = wire::other_of(event);
  if (steps_.size() == event.step) steps_.push_back(step);
  add_op(event);
}

// A run that ends in what a thread was chosen for (a use of freed memory) has no event of it: what
// the thread was about to do is said at the end.
void Execution::add_last_step() {
  auto last =
      std::find_if(choices_.rbegin(), choices_.rend(),
                   [](const wire::ChoiceRecord& choice) { return choice.kind != OpKind::value; });
  if (last == choices_.rend() || last->step != steps_.size()) return;
  Step step{.thread = last->picked, .first_op = static_cast<std::uint32_t>(ops_.size())};
  auto pending = std::ranges::find(pending_, step.thread, &Pending::thread);
  if (pending != pending_.end()) {
    ops_.push_back(pending->op);
    step.op_count = 1;
    step.event = pending->event;
    pending_.erase(pending);
  }
  steps_.push_back(step);
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
  // A cancellation interrupts nothing: the thread does not come back.
  has_signals_ |= event.kind == OpKind::signal_handle && event.size != 0;
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

std::span<const PendingOp> Execution::next_step(ThreadId thread, std::uint32_t from) const {
  std::span<const PendingOp> ops = next_ops(thread, from);
  for (std::size_t i = 1; i < ops.size(); ++i)
    if (comes_after_step(ops[i].kind)) return ops.first(i);
  return ops;
}

bool Execution::leaves_others_unseen() const {
  ThreadId last = steps_.empty() ? kNoThread : steps_.back().thread;
  return std::ranges::any_of(pending_, [last](const Pending& pending) {
    return pending.enabled && pending.thread != last;
  });
}

std::span<const SiteId> Execution::next_callers(ThreadId thread, std::uint32_t from) const {
  if (!stacks_) return {};
  for (std::size_t i = from; i < steps_.size(); ++i)
    if (steps_[i].thread == thread)
      return steps_[i].event == kNone ? std::span<const SiteId>()
                                      : stacks_->callers(steps_[i].event);
  for (const Pending& pending : pending_)
    if (pending.thread == thread) return stacks_->callers(pending.event);
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
