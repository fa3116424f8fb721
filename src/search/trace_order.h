// SPDX-License-Identifier: Apache-2.0
//
// TraceOrder: the happens-before order of a run's steps (its Mazurkiewicz trace), as vector clocks.
// Engine side; pure. Two steps are ordered if one thread made both, if their operations depend on
// each other (model/dependence.h), if one created the other's thread or joined it.
//
// While it is built, step after step, it tells which earlier steps a new one depends on. These are
// found by place: operations on one object, or on the bytes of one granule, are chained; operations
// that concern much (blocks being freed, long ranges, signals) are compared with everything.
#pragma once

#include <vector>

#include "analysis/epoch_map.h"
#include "search/execution.h"

namespace raddle::search {

class TraceOrder {
 public:
  // An earlier operation that a new one depends on.
  struct Met {
    std::uint32_t step;
    bool was_free;  // of a mutex: nobody held it before that operation
    bool covers;    // whatever else the new one depends on happened before this
  };

  void begin(const Execution& execution);

  // The thread's clock before its next step: what it has done and seen. Requires: all earlier steps
  // have been added.
  void begin_step(ThreadId thread);
  // The same for a step of the run: a join sees what the other thread has done before anything
  // else.
  void begin_step(const Execution::Step& step);
  // The thread has carried out the operation, as a part of its step.
  void see_before(const model::PendingOp& op, ThreadId thread);
  // Calls visit(met) for earlier steps of other threads that the operation depends on, latest
  // first, until it returns false or the thread's own steps cover the rest.
  template <class Visit>
  void for_each_met(const model::PendingOp& op, ThreadId thread, Visit visit) const;
  // A step of nobody knows whom, which touched nothing.
  void add_unknown();
  // Adds the step that begin_step() began.
  void add(std::uint32_t step);

  // Whether `earlier` happened before a step, or is it. Requires: both have been added.
  bool before(std::uint32_t earlier, std::uint32_t step) const {
    return clock_of(step)[thread_of(earlier)] >= ordinal_[earlier];
  }
  // Whether it is known to the thread whose step has begun.
  bool seen(std::uint32_t step) const { return now_[thread_of(step)] >= ordinal_[step]; }
  // The same for the how manieth step of a thread, from 1.
  bool seen(ThreadId thread, std::uint32_t ordinal) const { return now_[thread] >= ordinal; }
  bool before(ThreadId thread, std::uint32_t ordinal, std::uint32_t step) const {
    return clock_of(step)[thread] >= ordinal;
  }
  std::uint32_t ordinal(std::uint32_t step) const { return ordinal_[step]; }

 private:
  struct Entry {
    std::uint32_t step;
    std::uint32_t op;
    std::uint32_t previous;  // in the chain; kNone: it is the first
    bool was_free;
  };
  struct Chain {
    std::uint32_t last = 0;           // entry + 1
    std::uint16_t owner = kNoThread;  // of a mutex
    std::uint16_t depth = 0;
  };

  ThreadId thread_of(std::uint32_t step) const { return execution_->steps()[step].thread; }
  const std::uint32_t* clock_of(std::uint32_t step) const {
    return clocks_.data() + std::size_t{step} * threads_;
  }
  const model::PendingOp& op_at(const Entry& entry) const {
    return execution_->ops(execution_->steps()[entry.step])[entry.op];
  }
  void see(const std::uint32_t* clock);
  void see_joined(const Execution::Step& step);
  void enter(std::uint32_t step, std::uint32_t op);
  void chain(std::uint64_t key, std::uint32_t step, std::uint32_t op);

  const Execution* execution_ = nullptr;
  std::size_t threads_ = 0;
  std::vector<std::uint32_t> clocks_;  // of the steps added, threads_ numbers each
  std::vector<std::uint32_t> ordinal_;
  std::vector<std::uint32_t> now_;   // the clock of the step that has begun
  std::vector<std::uint32_t> last_;  // by thread: its last step, kNone: none yet
  std::vector<std::uint32_t> born_;  // by thread: the step that created it
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> wide_;  // steps with an operation that is compared with everything
  mutable analysis::EpochMap<Chain> chains_;
};

// Operations that are compared with everything.
bool is_wide(const model::PendingOp& op);

// The chains that an operation belongs to: calls visit(key) for each. Requires: !is_wide(op).
template <class Visit>
void for_each_chain(const model::PendingOp& op, Visit visit) {
  if (wire::is_memory_access(op.kind)) {
    std::uint64_t last = (op.address + (op.size > 0 ? op.size - 1u : 0u)) >> 3;
    for (std::uint64_t granule = op.address >> 3; granule <= last; ++granule) visit(granule << 1);
    return;
  }
  wire::OpClass c = wire::op_class(op.kind);
  if (c != wire::OpClass::sync && c != wire::OpClass::shared) return;
  if (op.address != 0) visit(op.address << 1 | 1);
  if (op.second != 0) visit(op.second << 1 | 1);
}

// Whether everything that depends on the second and came before the first is ordered before the
// first: the search for what the second depends on can stop there.
bool covers(const model::PendingOp& earlier, const model::PendingOp& op);

bool ops_depend(const model::PendingOp& a, const model::PendingOp& b);

template <class Visit>
void TraceOrder::for_each_met(const model::PendingOp& op, ThreadId thread, Visit visit) const {
  auto meets = [&](std::uint32_t step) {
    return thread_of(step) != thread &&
           any_dependent(execution_->ops(execution_->steps()[step]), {&op, 1});
  };
  if (is_wide(op)) {
    for (auto step = static_cast<std::uint32_t>(ordinal_.size()); step-- > 0;)
      if (meets(step) && !visit(Met{step, true, false})) return;
    return;
  }
  for (std::size_t i = wide_.size(); i-- > 0;)
    if (meets(wide_[i]) && !visit(Met{wide_[i], true, false})) break;
  for_each_chain(op, [&](std::uint64_t key) {
    std::uint32_t last = chains_[key].last;
    for (std::uint32_t at = last == 0 ? kNone : last - 1; at != kNone; at = entries_[at].previous) {
      const Entry& entry = entries_[at];
      const model::PendingOp& earlier = op_at(entry);
      if (!ops_depend(earlier, op)) continue;
      bool last = covers(earlier, op);
      if (thread_of(entry.step) != thread) {
        if (!visit(Met{entry.step, entry.was_free, last})) return;
      } else if (last) {
        return;  // its own: whatever came before is known to it
      }
    }
  });
}

}  // namespace raddle::search
