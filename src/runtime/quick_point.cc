// SPDX-License-Identifier: Apache-2.0
//
// The rarer parts of the short way through a point. Target side. See quick_point.h.
#include "runtime/quick_point.h"

#include "base/check.h"
#include "runtime/deadlock.h"

namespace raddle::runtime {
namespace quick {

policy::RandomPolicy* random_policy;
policy::DfsPolicy* dfs_policy;

ThreadId ask_policy() {
  policy::Choice choice{g.enabled, g.views, g.thread_count, g.current->id, g.step};
  ThreadId picked = g.policy->pick(choice);
  if (__builtin_expect(picked == kNoThread, 0)) leave_path();
  RADDLE_CHECK(g.enabled.contains(picked));
  record(picked, g.enabled.size(), g.step);
  return picked;
}

ThreadId begin_wait(SyncObject& object) {
  Fiber& me = *g.current;
  enqueue(me, object);
  set_enabled(me, false);
  check_for_cycle(me);
  return g.enabled.size() == 1 ? g.enabled.first() : ask_policy();
}

}  // namespace quick

void prepare_quick_points(const policy::PolicyStorage& storage) {
  quick::random_policy = g.policy == storage.random ? storage.random : nullptr;
  quick::dfs_policy = g.policy == storage.dfs ? storage.dfs : nullptr;
}

void pass_usual_point() {
  if (!checks_quickly()) return pass_point();
  pass_quick_point();
}

}  // namespace raddle::runtime
