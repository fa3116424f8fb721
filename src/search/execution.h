// SPDX-License-Identifier: Apache-2.0
//
// Execution: a run as a systematic search sees it: its steps with what they did, the threads that
// could have run instead, and what every thread was about to do. Engine side.
//
// Operations are those of model/dependence.h, with names of places (wire::Location) for addresses,
// so that two of them can be compared whichever run they come from.
//
// A step consists of the operation that the thread had announced and of whatever else it did to
// synchronisation objects, heap blocks and shared data before its next one: a wait gives a mutex
// back; a thread that is alone makes no steps of its accesses, which still may depend on what
// others did before they ended. Plain accesses without an event do not count: they are private, or
// their sites are not among those that the search looks at.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "facts/run.h"
#include "model/pending_op.h"

namespace raddle::search {

using Mask = std::uint64_t;  // of threads below wire::kSearchedThreads

inline constexpr std::uint32_t kNone = 0xffffffff;

inline Mask mask_of(ThreadId thread) {
  return thread < wire::kSearchedThreads ? Mask{1} << thread : 0;
}

class Execution {
 public:
  struct Step {
    ThreadId thread = 0;  // kNoThread: nobody knows, and it did nothing
    std::uint32_t first_op = 0, op_count = 0;
    std::uint32_t choice = kNone;  // the choice that led to it, if there was one
    ThreadId other = kNoThread;    // the thread created or joined
    bool failed = false;           // try-lock refused, compare-exchange lost, wait timed out
    bool yields = false;           // fairness holds its thread back until the others have moved
    std::uint32_t event = kNone;   // its own, in the run; kNone: it has none
  };

  // Reads a run, which must have been made with Plan::systematic.
  void read(const facts::Run& run);

  std::span<const Step> steps() const { return steps_; }
  std::span<const model::PendingOp> ops(const Step& step) const {
    return {ops_.data() + step.first_op, step.op_count};
  }
  std::span<const wire::ChoiceRecord> choices() const { return choices_; }
  const wire::ChoiceSets& sets(std::uint32_t choice) const { return sets_[choice]; }
  bool is_value(std::uint32_t choice) const { return choices_[choice].kind == wire::OpKind::value; }
  // The step that a choice of a thread led to; of a value, the one that it was made in. The number
  // of steps if there is none.
  std::uint32_t step_of(std::uint32_t choice) const { return step_of_choice_[choice]; }

  // What the thread does in its next step, from that step on: its operations in the run, or the one
  // that it would have come to. Empty if it does not exist yet or any more.
  std::span<const model::PendingOp> next_ops(ThreadId thread, std::uint32_t from) const;
  // The same without what is no part of it: what the thread did as the only one left, which
  // elsewhere would be steps of their own.
  std::span<const model::PendingOp> next_step(ThreadId thread, std::uint32_t from) const;
  // The calls that led to it, innermost first; empty unless the plan asked for stacks.
  std::span<const SiteId> next_callers(ThreadId thread, std::uint32_t from) const;
  // What live threads would have done after the last step.
  struct Pending {
    ThreadId thread;
    model::PendingOp op;
    std::uint32_t event;
    bool enabled;  // it could have been carried out
  };
  std::span<const Pending> pending() const { return pending_; }

  ThreadId thread_count() const { return thread_count_; }
  // Whether somebody else than who made the last step could have gone on. What he would have done
  // after it, and with which of its accesses that would have raced, this run does not tell.
  bool leaves_others_unseen() const;
  // Whether signals were handled, and whether time passed or could have.
  bool has_signals() const { return has_signals_; }
  bool uses_time() const { return uses_time_; }
  // Who sleeps when the thread of that choice is to be picked. Where the order of two independent
  // steps decides who has to give way to whom they are not exchangeable: a yield wakes everybody.
  Mask asleep(std::uint32_t choice) const {
    const wire::ChoiceSets& s = sets_[choice];
    bool gives_way = s.voluntary != 0 && (s.enabled & mask_of(s.current)) == 0;
    return gives_way && !is_value(choice) ? 0 : s.asleep;
  }
  // How many preemptions there are if `thread` is picked at that choice.
  std::uint32_t preemptions_with(std::uint32_t choice, ThreadId thread) const;
  // Whether picking the thread there takes the processor from one that could go on.
  bool preempts(std::uint32_t choice, ThreadId thread) const;

 private:
  void add_step(const wire::Event& event, std::uint32_t index);
  void add_op(const wire::Event& event);
  void add_last_step();
  void note_yield(const wire::Event& event);

  std::vector<Step> steps_;
  std::vector<model::PendingOp> ops_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> step_of_choice_;
  std::shared_ptr<const facts::EventStacks> stacks_;
  std::span<const wire::ChoiceRecord> choices_;
  std::span<const wire::ChoiceSets> sets_;
  ThreadId thread_count_ = 0;
  bool has_signals_ = false;
  bool uses_time_ = false;
};

// Whether the operation, if it is not the first of its step, is no part of one atomic operation
// with it: an access or a destruction that is no step since nobody else is alive.
constexpr bool comes_after_step(wire::OpKind kind) {
  return wire::is_memory_access(kind) || kind == wire::OpKind::object_destroy;
}

// Whether one of the first depends on one of the second.
bool any_dependent(std::span<const model::PendingOp> a, std::span<const model::PendingOp> b);

}  // namespace raddle::search
