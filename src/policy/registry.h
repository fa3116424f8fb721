// SPDX-License-Identifier: Apache-2.0
//
// The only list of policies: their names, what they do, and how to make one. Target side, built for
// the engine too (for names and descriptions). No allocation: a policy lives in storage that the
// caller provides, large enough for every policy. Storage in .bss is touched only as far as the
// threads of a run need it.
#pragma once

#include <cstddef>

#include "policy/dfs.h"
#include "policy/policy.h"
#include "policy/prefix.h"
#include "policy/random.h"
#include "policy/replay.h"
#include "policy/tree.h"

namespace raddle::policy {

struct PolicyStorage;

struct PolicyInfo {
  const char* name;     // as in wire::Plan::policy
  const char* summary;  // one line for the user
  bool mechanism;       // follows what the plan prescribes, decides little by itself
  // The kind of steering that the policy reads. Those that read none can follow a PrefixPolicy.
  wire::SteeringKind reads;
  Policy* (*make)(PolicyStorage& storage);
};

struct PolicyList {
  const PolicyInfo* first;
  const PolicyInfo* last;
  const PolicyInfo* begin() const { return first; }
  const PolicyInfo* end() const { return last; }
};

PolicyList policies();

// The entry of that name, or nullptr.
const PolicyInfo* find_policy(const char* name);

inline constexpr std::size_t kPolicyBytes = 24 * std::size_t{kMaxThreads} + 4096;

// Zero-initialised storage is empty storage. Must stay where it is while the policy is in use.
struct PolicyStorage {
  ReplayPolicy* replay;  // the policy made last, if it is this one: to ask why it diverged
  DfsPolicy* dfs;        // likewise
  TreePolicy* tree;      // likewise
  PrefixPolicy* prefix;  // likewise
  RandomPolicy* random;  // likewise: so that it can be asked without a call
  alignas(PrefixPolicy) unsigned char wrapper[sizeof(PrefixPolicy)];
  alignas(64) unsigned char policy[kPolicyBytes];  // last: its end is for many threads
};

// The policy of that name, or nullptr if there is none. "prefix" goes on without preemption.
Policy* make_policy(const char* name, PolicyStorage& storage);

// Why no policy can carry out the plan if it is steered so; nullptr if one can. Requires:
// !wire::unreadable(steering).
const char* objection(const wire::Plan& plan, const wire::SteeringHeader& steering);

// The policy that carries out the plan: replay if a whole run is recorded, else the one it names,
// after the choices that it begins with if the policy reads none itself. nullptr if there is an
// objection().
Policy* make_policy(const wire::Plan& plan, const wire::SteeringHeader& steering,
                    PolicyStorage& storage);

}  // namespace raddle::policy
