// SPDX-License-Identifier: Apache-2.0
//
// The short way through a point, for runs of which only the end is wanted (checks_quickly()): there
// are no events, checkpoints or debuggers. Target side; inline in the hooks (see switch.h).
//
// invariant: the same threads are chosen in the same order as by pass_point(). Whatever is more
// than a question to the policy is left to that, untouched. Deviation: how many steps and choices
// there have been is told to the engine when the run ends (in_process.cc).
#pragma once

#include "policy/registry.h"
#include "runtime/controller.h"
#include "runtime/emit.h"
#include "runtime/enabled.h"
#include "runtime/switch.h"

namespace raddle::runtime {

// The run's policy has been made.
void prepare_quick_points(const policy::PolicyStorage& storage);

namespace quick {

// The policy of the run if it is one of these, which are asked here without a call.
extern policy::RandomPolicy* random_policy;
extern policy::DfsPolicy* dfs_policy;

inline void record(ThreadId picked, unsigned enabled, StepIndex step) {
  std::uint32_t index = g.record.choices;
  if (__builtin_expect(index == g.record.schedule_limit, 0)) extend_schedule();
  OpKind kind = g.views[picked].op.kind;
  g.record.schedule[index] = {step, picked, kind,
                              static_cast<std::uint8_t>(enabled < 255 ? enabled : 255)};
  g.record.choices = index + 1;
}

// The current thread goes on; it has made the last step, too.
inline void go_on(const Fiber& me, StepIndex step) { view_of(me).last_run = g.step = step + 1; }

// The current thread goes on after others.
inline void go_on_after_others(const Fiber& me) {
  ThreadId last = g.last_thread;
  if (last != me.id) {
    if (g.enabled.contains(last) && !g.views[last].yielding) ++g.shared->preemptions;
    g.last_thread = me.id;
  }
  go_on(me, g.step);
}

// Another thread goes first. Returns when the current one has been chosen. `object`: what its op
// waits for, or would have to, if for anything.
__attribute__((always_inline)) inline void let_pass(SyncObject* object, ThreadId next) {
  if (object != nullptr && g.current->queued_on == nullptr) enqueue(*g.current, *object);
  switch_to(g.fibers[next]);
  Fiber& me = *g.current;
  if (object != nullptr && me.queued_on != nullptr) dequeue(me);
  if (__builtin_expect(me.interrupted, 0)) return pass_interrupted_point(object);
  go_on_after_others(me);
}

// What the policy says, whatever it is and among however many; the choice is recorded.
ThreadId ask_policy();

// The current thread has to wait for its object: who goes first.
ThreadId begin_wait(SyncObject& object);

// Who goes next, if the current thread can go on and nothing but the policy has a say in it.
__attribute__((always_inline)) inline ThreadId choose(const Fiber& me, StepIndex step) {
  unsigned count = g.enabled.size();
  if (count == 1) return me.id;
  if (count != 2) return ask_policy();
  std::uint64_t pair = g.enabled.first_word();
  ThreadId picked = kNoThread;
  if (random_policy != nullptr)
    picked = random_policy->pick_of_pair(pair);
  else if (dfs_policy != nullptr)
    picked = dfs_policy->pick_of_pair(pair, me.id, step);
  if (__builtin_expect(picked == kNoThread, 0)) return ask_policy();
  record(picked, 2, step);
  return picked;
}

inline Fiber& publish(SyncObject* object) {
  Fiber& me = *g.current;
  me.object = object;
  me.signalled = me.timed_out = false;
  return me;
}

inline bool needs_care() { return g.cares.any() || g.step >= g.max_steps; }

}  // namespace quick

// As pass_point(). Requires: checks_quickly().
__attribute__((always_inline)) inline void pass_quick_point() {
  if (__builtin_expect(quick::needs_care(), 0)) return pass_point();
  const Fiber& me = quick::publish(nullptr);
  StepIndex step = g.step;
  ThreadId next = quick::choose(me, step);
  if (next != me.id) return quick::let_pass(nullptr, next);
  quick::go_on(me, step);
}

// `grants`: whether the object grants the op now.
__attribute__((always_inline)) inline void pass_quick_point(SyncObject& object, bool grants) {
  if (__builtin_expect(quick::needs_care() || (!grants && g.enabled.size() == 1), 0))
    return pass_point(object);
  const Fiber& me = quick::publish(&object);
  StepIndex step = g.step;
  ThreadId next = grants ? quick::choose(me, step) : quick::begin_wait(object);
  if (next != me.id) return quick::let_pass(&object, next);
  quick::go_on(me, step);
}

// For hooks that are in less of a hurry.
void pass_usual_point();

}  // namespace raddle::runtime
