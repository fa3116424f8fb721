// SPDX-License-Identifier: Apache-2.0
//
// See registry.h. To add a policy: one row in kPolicies.
#include "policy/registry.h"

#include <cstring>
#include <new>

#include "policy/nonpreemptive.h"
#include "policy/pct.h"
#include "policy/pos.h"
#include "policy/random.h"
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

Policy* wrap(Policy& rest, PolicyStorage& storage) {
  storage.prefix = new (storage.wrapper) PrefixPolicy(rest);
  return storage.prefix;
}

Policy* make_prefix(PolicyStorage& storage) {
  return wrap(*make<NonpreemptivePolicy>(storage), storage);
}

constexpr PolicyInfo kPolicies[] = {
    {"random", "uniform over the enabled threads at every choice", false, make<RandomPolicy>},
    {"pct", "strict random priorities, changed at depth - 1 random steps", false, make<PctPolicy>},
    {"pos", "random scores of operations, drawn anew by those that race: samples partial orders",
     false, make<PosPolicy>},
    {"urw", "threads in proportion to the steps they have left: samples interleavings uniformly",
     false, make<UrwPolicy>},
    {"surw", "the same for the events of a few variables, the others at random", false,
     make<SurwPolicy>},
    {"round-robin", "the next enabled thread at every choice", false, make<RoundRobinPolicy>},
    {"nonpreemptive", "the running thread goes on while it can", false, make<NonpreemptivePolicy>},
    {"prefix", "follows given choices while they fit, then another policy", true, make_prefix},
    {"replay", "follows a recorded schedule exactly", true, make_replay},
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
  storage.prefix = nullptr;
  const PolicyInfo* info = find_policy(name);
  return info == nullptr ? nullptr : info->make(storage);
}

Policy* make_policy(const wire::Plan& plan, PolicyStorage& storage) {
  Policy* policy = make_policy(plan.strict != 0 ? "replay" : plan.policy, storage);
  if (policy == nullptr || plan.prefix_count == 0) return policy;
  bool follows_already = storage.replay != nullptr || storage.prefix != nullptr;
  return follows_already ? policy : wrap(*policy, storage);
}

}  // namespace raddle::policy
