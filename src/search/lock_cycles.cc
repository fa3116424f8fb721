// SPDX-License-Identifier: Apache-2.0
//
// See lock_cycles.h. Engine side; pure.
#include "search/lock_cycles.h"

#include <string.h>

#include <algorithm>

#include "analysis/lock_order.h"
#include "base/rng.h"
#include "search/recording.h"

namespace raddle::search {
namespace {

std::vector<std::uint64_t> sorted_keys(const std::vector<wire::Location>& locks) {
  std::vector<std::uint64_t> keys;
  for (wire::Location lock : locks) keys.push_back(lock.key());
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

void LockCycles::suspect(const facts::Plan& plan, const facts::Run& run,
                         const facts::Evidence& cycle, std::uint64_t number) {
  if (known_.size() >= kSuspicionsMax || !known_.insert(analysis::cycle_key(cycle)).second) return;
  waiting_.push_back({cycle, strict_plan(plan, run.choices), number});
}

void LockCycles::deadlocked(const facts::Run& run) {
  std::vector<wire::Location> locks;
  for (const wire::ThreadReport& thread : run.threads)
    if (thread.in_cycle != 0) locks.push_back(thread.where);
  come_about_.insert(sorted_keys(locks));
}

bool LockCycles::has_come_about(const facts::Evidence& cycle) const {
  return come_about_.contains(sorted_keys(analysis::cycle_locks(cycle)));
}

std::optional<Suspicion> LockCycles::next(std::uint64_t runs, bool all) {
  while (!waiting_.empty() && (all || runs - waiting_.front().run >= kSearchFirst)) {
    Suspicion first = std::move(waiting_.front());
    waiting_.pop_front();
    if (!has_come_about(first.cycle)) return first;
  }
  return std::nullopt;
}

std::vector<facts::Plan> directed_plans(const facts::Plan& plan, const facts::Evidence& cycle) {
  std::vector<wire::Location> locks = analysis::cycle_locks(cycle);
  std::vector<facts::Plan> plans;
  for (unsigned attempt = 0; attempt < kDirectedMax; ++attempt) {
    facts::Plan directed = plan;
    wire::Plan& header = directed.header;
    memset(header.policy, 0, sizeof header.policy);
    strcpy(header.policy, "lock-cycle");
    header.strict = header.stacks = header.systematic = header.racing_only = 0;
    header.seed = attempt < locks.size() ? 0 : mix64(plan.header.seed + attempt) | 1;
    directed.ticket = 0;
    directed.weights = nullptr;
    directed.interest = {};
    directed.interest.place_count = static_cast<std::uint32_t>(locks.size());
    directed.prefix.clear();
    for (std::size_t i = 0; i < locks.size(); ++i) {
      std::size_t member = (i + attempt) % locks.size();
      directed.interest.places[i] = locks[member];
      directed.prefix.push_back(
          {wire::kAnyStep, cycle.events[2 * member].thread, wire::OpKind::none, 0});
    }
    plans.push_back(std::move(directed));
  }
  return plans;
}

}  // namespace raddle::search
