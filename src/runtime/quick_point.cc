// SPDX-License-Identifier: Apache-2.0
//
// See quick_point.h. What most points do needs no frame: whatever is rarer is apart, and is called
// as the last thing.
#include "runtime/quick_point.h"

#include "base/check.h"
#include "runtime/deadlock.h"
#include "runtime/emit.h"
#include "runtime/enabled.h"

namespace raddle::runtime {
namespace {

// The policy of the run if it is one of these, which are asked here without a call.
policy::RandomPolicy* random_policy;
policy::DfsPolicy* dfs_policy;

#define RADDLE_RARE __attribute__((noinline))

inline void record_quickly(ThreadId picked, unsigned enabled, StepIndex step) {
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

// Another thread goes first. Returns when the current one has been chosen.
RADDLE_RARE void let_pass(Fiber& next) {
  switch_to(next);
  const Fiber& me = *g.current;
  if (__builtin_expect(me.interrupted, 0)) return pass_interrupted_point(nullptr);
  go_on_after_others(me);
}

// The same at a point that waits for an object, or would have to.
RADDLE_RARE void let_pass_at(SyncObject& object, Fiber& next) {
  if (g.current->queued_on == nullptr) enqueue(*g.current, object);
  switch_to(next);
  Fiber& me = *g.current;
  if (me.queued_on != nullptr) dequeue(me);
  if (__builtin_expect(me.interrupted, 0)) return pass_interrupted_point(&object);
  go_on_after_others(me);
}

inline void let_pass(SyncObject* object, ThreadId next) {
  if (object != nullptr) return let_pass_at(*object, g.fibers[next]);
  let_pass(g.fibers[next]);
}

// The policy decides. `object`: what the current thread's op waits for, if for anything.
RADDLE_RARE void ask_policy(SyncObject* object) {
  policy::Choice choice{g.enabled, g.views, g.thread_count, g.current->id, g.step};
  ThreadId picked = g.policy->pick(choice);
  if (__builtin_expect(picked == kNoThread, 0)) leave_path();
  RADDLE_CHECK(g.enabled.contains(picked));
  record_quickly(picked, g.enabled.size(), g.step);
  if (picked != g.current->id) return let_pass(object, picked);
  go_on(*g.current, g.step);
}

// Between two threads, of which the current one is one; kNoThread if pick() has to look at it.
inline ThreadId pick_of_pair(const Fiber& me, StepIndex step) {
  std::uint64_t pair = g.enabled.first_word();
  if (random_policy != nullptr) return random_policy->pick_of_pair(pair);
  if (dfs_policy != nullptr) return dfs_policy->pick_of_pair(pair, me.id, step);
  return kNoThread;
}

// The current thread can go on, and nothing but the policy has a say in whether it does.
__attribute__((always_inline)) inline void choose_quickly(const Fiber& me, SyncObject* object) {
  unsigned count = g.enabled.size();
  StepIndex step = g.step;
  if (count == 1) return go_on(me, step);
  if (count != 2) return ask_policy(object);
  ThreadId picked = pick_of_pair(me, step);
  if (__builtin_expect(picked == kNoThread, 0)) return ask_policy(object);
  record_quickly(picked, 2, step);
  if (picked != me.id) return let_pass(object, picked);
  go_on(me, step);
}

inline Fiber& publish_quickly(SyncObject* object) {
  Fiber& me = *g.current;
  me.object = object;
  me.signalled = me.timed_out = false;
  return me;
}

inline bool needs_care() { return g.cares.any() || g.step >= g.max_steps; }

// Its object does not grant the current thread's op. Requires: somebody else can run.
RADDLE_RARE void wait_quickly(SyncObject& object) {
  Fiber& me = *g.current;
  enqueue(me, object);
  set_enabled(me, false);
  check_for_cycle(me);
  if (g.enabled.size() == 1) return let_pass_at(object, g.fibers[g.enabled.first()]);
  ask_policy(&object);
}

}  // namespace

void prepare_quick_points(const policy::PolicyStorage& storage) {
  random_policy = g.policy == storage.random ? storage.random : nullptr;
  dfs_policy = g.policy == storage.dfs ? storage.dfs : nullptr;
}

void pass_quick_point() {
  if (__builtin_expect(needs_care(), 0)) return pass_point();
  choose_quickly(publish_quickly(nullptr), nullptr);
}

void pass_quick_point(SyncObject& object, bool grants) {
  if (__builtin_expect(needs_care() || (!grants && g.enabled.size() == 1), 0))
    return pass_point(object);
  const Fiber& me = publish_quickly(&object);
  if (!grants) return wait_quickly(object);
  choose_quickly(me, &object);
}

}  // namespace raddle::runtime
