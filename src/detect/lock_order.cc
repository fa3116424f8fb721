// SPDX-License-Identifier: Apache-2.0
//
// The detector of orders of locks that could deadlock (analysis/lock_order.h). Engine side; pure. A
// campaign tries each by directed runs: the policy lock-cycle holds the threads of the cycle back
// until each has its first lock (policy/lock_cycle.h).
#include "detect/lock_order.h"

#include <string.h>

#include <algorithm>

#include "analysis/lock_order.h"
#include "base/rng.h"
#include "detect/detector.h"
#include "report/lock_order_words.h"

namespace raddle::detect {

std::vector<facts::Plan> directed_plans(const facts::Plan& plan, const facts::Evidence& cycle) {
  std::vector<wire::Location> locks = analysis::cycle_locks(cycle);
  std::vector<facts::Plan> plans;
  for (unsigned attempt = 0; attempt < kDirectedMax; ++attempt) {
    facts::Plan directed = plan;
    wire::Plan& header = directed.header;
    memset(header.policy, 0, sizeof header.policy);
    strcpy(header.policy, "lock-cycle");
    header.stacks = header.systematic = header.racing_only = 0;
    header.seed = attempt < locks.size() ? 0 : mix64(plan.header.seed + attempt) | 1;
    directed.ticket = 0;
    directed.weights = nullptr;
    directed.interest = {};
    facts::LockCycle members;
    for (std::size_t i = 0; i < locks.size(); ++i) {
      std::size_t member = (i + attempt) % locks.size();
      members.rows.push_back({locks[member], cycle.events[2 * member].thread});
    }
    directed.steering = std::move(members);
    plans.push_back(std::move(directed));
  }
  return plans;
}

namespace {

std::unique_ptr<analysis::Analysis> make(const Settings& settings) {
  if (!settings.lock_order) return nullptr;
  return std::make_unique<analysis::LockOrder>();
}

std::vector<std::uint64_t> sorted_keys(const std::vector<wire::Location>& locks) {
  std::vector<std::uint64_t> keys;
  for (wire::Location lock : locks) keys.push_back(lock.key());
  std::ranges::sort(keys);
  return keys;
}

std::vector<std::uint64_t> locks_of_cycle(const Evidence& cycle) {
  return sorted_keys(analysis::cycle_locks(cycle));
}

std::optional<std::vector<std::uint64_t>> locks_of_deadlock(const facts::Run& run) {
  if (run.verdict.kind != wire::VerdictKind::deadlock) return std::nullopt;
  std::vector<wire::Location> locks;
  for (const wire::ThreadReport& thread : run.threads)
    if (thread.in_cycle != 0) locks.push_back(thread.where);
  return sorted_keys(locks);
}

constexpr Confirmation kDeadlock = {directed_plans, locks_of_cycle, locks_of_deadlock};

}  // namespace

extern const Detector kLockOrder;
constinit const Detector kLockOrder = {
    .name = "lock-order",
    .description = "threads that could wait for each other's locks, in runs where they did not",
    .kind = facts::FindingKind::potential_deadlock,
    .make = make,
    .key = analysis::cycle_key,
    .words = report::describe_lock_cycle,
    .told = Told::when_over,
    .suspects_max = 64,
    .confirmation = &kDeadlock,
};

}  // namespace raddle::detect
