// SPDX-License-Identifier: Apache-2.0
//
// See registry.h. To add a policy: one row in kPolicies.
#include "policy/registry.h"

#include <cstring>
#include <new>

#include "policy/lock_cycle.h"
#include "policy/nonpreemptive.h"
#include "policy/pct.h"
#include "policy/pos.h"
#include "policy/round_robin.h"
#include "policy/surw.h"
#include "policy/urw.h"

namespace raddle::policy {
namespace {

template <class P>
Policy* make(PolicyStorage& storage) {
  static_assert(sizeof(P) <= kPolicyBytes, "raise kPolicyBytes");
  static_assert(alignof(P) <= alignof(PolicyStorage));
  // Without parentheses: the tables of a policy stay untouched.
  return new (storage.policy) P;
}

Policy* make_replay(PolicyStorage& storage) {
  storage.replay = new (storage.policy) ReplayPolicy;
  return storage.replay;
}

Policy* make_random(PolicyStorage& storage) {
  storage.random = new (storage.policy) RandomPolicy;
  return storage.random;
}

Policy* make_dfs(PolicyStorage& storage) {
  storage.dfs = new (storage.policy) DfsPolicy;
  return storage.dfs;
}

Policy* make_tree(PolicyStorage& storage) {
  storage.tree = new (storage.policy) TreePolicy;
  return storage.tree;
}

Policy* wrap(Policy& rest, PolicyStorage& storage) {
  storage.prefix = new (storage.wrapper) PrefixPolicy(rest);
  return storage.prefix;
}

Policy* make_prefix(PolicyStorage& storage) {
  return wrap(*make<NonpreemptivePolicy>(storage), storage);
}

using wire::SteeringKind;

constexpr PolicyInfo kPolicies[] = {
    {"random", "uniform over the enabled threads at every choice", false, SteeringKind::none,
     make_random},
    {"pct", "strict random priorities, changed at depth - 1 random steps", false,
     SteeringKind::none, make<PctPolicy>},
    {"pos", "random scores of operations, drawn anew by those that race: samples partial orders",
     false, SteeringKind::none, make<PosPolicy>},
    {"urw", "threads in proportion to the steps they have left: samples interleavings uniformly",
     false, SteeringKind::none, make<UrwPolicy>},
    {"surw", "the same for the events of a few variables, the others at random", false,
     SteeringKind::none, make<SurwPolicy>},
    {"round-robin", "the next enabled thread at every choice", false, SteeringKind::none,
     make<RoundRobinPolicy>},
    {"nonpreemptive", "the running thread goes on while it can", false, SteeringKind::none,
     make<NonpreemptivePolicy>},
    {"dfs", "follows given ranks, then the running thread goes on: a path of a depth-first search",
     false, SteeringKind::ranks, make_dfs},
    {"tree", "follows given choices, else goes on with the running thread: a node of a search",
     true, SteeringKind::deviations, make_tree},
    {"lock-cycle", "holds threads back before a lock until all of a given cycle are at theirs",
     true, SteeringKind::lock_cycle, make<LockCyclePolicy>},
    {"prefix", "follows given choices while they fit, then another policy", true,
     SteeringKind::choices, make_prefix},
    {"replay", "follows a recorded schedule exactly", true, SteeringKind::recorded, make_replay},
};

}  // namespace

PolicyList policies() { return {kPolicies, kPolicies + sizeof(kPolicies) / sizeof(kPolicies[0])}; }

const PolicyInfo* find_policy(const char* name) {
  // A plan's name need not end within its field.
  for (const PolicyInfo& info : kPolicies)
    if (std::strncmp(info.name, name, wire::kPolicyNameMax) == 0) return &info;
  return nullptr;
}

Policy* make_policy(const char* name, PolicyStorage& storage) {
  storage.replay = nullptr;
  storage.dfs = nullptr;
  storage.tree = nullptr;
  storage.prefix = nullptr;
  storage.random = nullptr;
  const PolicyInfo* info = find_policy(name);
  return info == nullptr ? nullptr : info->make(storage);
}

const char* objection(const wire::Plan& plan, const wire::SteeringHeader& steering) {
  if (steering.kind == SteeringKind::recorded) return nullptr;
  const PolicyInfo* info = find_policy(plan.policy);
  if (info == nullptr) return "the plan names a policy that this runtime does not know";
  bool fits = steering.kind == SteeringKind::none || steering.kind == info->reads ||
              (steering.kind == SteeringKind::choices && info->reads == SteeringKind::none);
  return fits ? nullptr : "the plan is steered in a way that its policy does not follow";
}

Policy* make_policy(const wire::Plan& plan, const wire::SteeringHeader& steering,
                    PolicyStorage& storage) {
  if (objection(plan, steering) != nullptr) return nullptr;
  if (steering.kind == SteeringKind::recorded) return make_policy("replay", storage);
  Policy* policy = make_policy(plan.policy, storage);
  bool begins = steering.kind == SteeringKind::choices && steering.count != 0;
  bool wraps = begins && find_policy(plan.policy)->reads == SteeringKind::none;
  return wraps ? wrap(*policy, storage) : policy;
}

}  // namespace raddle::policy
