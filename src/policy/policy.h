// SPDX-License-Identifier: Apache-2.0
//
// Policy: inside one run, which enabled thread goes next. Target side, built for the engine too so
// that it can be tested on toy programs.
//
// Ground rules: no allocation, no exceptions, all state inside the object; after begin() a policy
// is a function of the plan and of what it is shown, so that the same plan gives the same run.
#pragma once

#include "base/thread_set.h"
#include "model/pending_op.h"
#include "wire/event.h"
#include "wire/plan.h"
#include "wire/steering.h"

namespace raddle::policy {

// A point with more than one enabled thread.
struct Choice {
  const ThreadSet& enabled;          // already narrowed by the filters; never empty
  const model::ThreadView* threads;  // indexed by ThreadId; valid for all threads created so far
  ThreadId thread_count;             // threads created so far
  ThreadId current;                  // who ran last; may be blocked or finished
  StepIndex step;                    // steps carried out so far
};

// The variable parts of a plan, beside wire::Plan.
struct PlanView {
  const wire::Plan& plan;
  wire::SteeringView steering;                  // empty: nothing is said about single choices
  const wire::Interest* interest = nullptr;     // null: every event, and no weights
  const wire::ThreadWeight* weights = nullptr;  // interest->weight_count of them
  // The name of an address that is the same in every run, as in events; null if there are none.
  wire::Location (*locate)(std::uintptr_t address) = nullptr;
};

class Policy {
 public:
  virtual void begin(const PlanView& view) = 0;

  // Requires: at least two threads are enabled. Returns a member of choice.enabled, or kNoThread if
  // the plan cannot be followed any further (strict replay only).
  virtual ThreadId pick(const Choice& choice) = 0;

  // Any other nondeterminism: a number in [0, bound). Requires: bound >= 2. Strict replay returns
  // bound when the plan cannot be followed any further.
  virtual std::uint32_t value(std::uint32_t bound, StepIndex step) = 0;

  // Whether took() is to be called. Asked once a run, after begin().
  virtual bool counts_steps() const { return false; }

  // A step that pick() was not asked about: nobody but `thread` could run, or others decided.
  // False if the run is not worth going on with: everybody who could run is asleep.
  virtual bool took(const Choice&, ThreadId /*thread*/) { return true; }

  // The threads that the policy keeps from running until another step lets them, and whether
  // pick() has returned kNoThread since nobody else could run.
  virtual std::uint64_t asleep() const { return 0; }
  virtual bool blocked() const { return false; }

  // The plan has been exchanged for one that leads to the same choices so far, `made` of them. For
  // policies that read a resumable kind of steering (wire::SteeringOf); they go on with the new
  // one.
  virtual void resume(const PlanView&, std::uint32_t /*made*/) {}

 protected:
  ~Policy() = default;
};

}  // namespace raddle::policy
