// SPDX-License-Identifier: Apache-2.0
//
// Counting events by thread and variable. Engine side.
#include "search/profile.h"

#include <sys/wait.h>

#include <algorithm>
#include <unordered_map>

#include "base/rng.h"
#include "model/interest.h"

namespace raddle::search {
namespace {

using wire::Event;
using wire::OpKind;

// More variables than a choice among them can do justice to; the first ones are kept.
constexpr std::size_t kVariablesMax = 4096;
// Variables are counted in each of so many first runs.
constexpr std::uint64_t kFirstRuns = 4;

// An exit with code 0 leaves no verdict.
bool ended(const facts::Run& run) {
  using wire::VerdictKind;
  bool exit = run.verdict.kind == VerdictKind::exited || run.verdict.kind == VerdictKind::none;
  return exit && WIFEXITED(run.wait_status);
}

// Whether the event is a step, or will be one in the next run.
bool is_step(const Event& event, bool sites_grew) {
  if ((event.flags & wire::kEventStep) != 0) return true;
  return sites_grew && wire::is_plain_access(event.kind);
}

// From the events of each thread to those of it and all that it creates. Creators have lower ids.
void add_descendants(std::vector<wire::ThreadWeight>& weights) {
  for (std::size_t id = weights.size(); id-- > 0;)
    if (ThreadId creator = weights[id].creator; creator < id)
      weights[creator].events += weights[id].events;
}

std::vector<wire::ThreadWeight> no_events(const std::vector<ThreadId>& creators) {
  std::vector<wire::ThreadWeight> weights;
  for (ThreadId creator : creators) weights.push_back({0, creator, 0});
  return weights;
}

// How many locks the thread holds after the event, if it held so many before.
int locks_after(const Event& event, int held) {
  if (wire::takes_lock(event.kind))
    return (event.flags & wire::kEventFailed) != 0 ? held : held + 1;
  switch (event.kind) {
    case OpKind::cond_wake:  // has its mutex again, also after a time-out
      return held + 1;
    case OpKind::cond_wait:
    case OpKind::mutex_unlock:
    case OpKind::rwlock_unlock:
      return std::max(held - 1, 0);
    default:
      return held;
  }
}

// What is known of a location while a run is read.
struct Seen {
  wire::Location where;
  std::vector<std::uint32_t> events = {};  // by thread
  unsigned threads = 0;
  bool decisive = false;  // a write, or synchronisation
  bool unlocked = false;  // accessed by a thread without locks, or synchronisation
};

void take(Seen& seen, const Event& event, bool locked) {
  if (seen.events.size() <= event.thread) seen.events.resize(event.thread + 1u);
  if (seen.events[event.thread]++ == 0) ++seen.threads;
  bool memory = wire::is_memory_access(event.kind);
  seen.decisive = seen.decisive || !memory || wire::writes_memory(event.kind);
  seen.unlocked = seen.unlocked || !memory || !locked;
}

}  // namespace

void Profile::observe(const facts::Run& run, bool sites_grew) {
  // A run that did not come to its end says too little about what is left in a thread.
  if (!ended(run) || run.thread_count > kMaxThreads) return;
  count_steps(run, sites_grew);
  if (runs_ >= kFirstRuns && runs_ < next_count_ && !sites_grew) {
    ++runs_;
    return;
  }
  count_variables(run, sites_grew);
  next_count_ = 2 * ++runs_;
}

void Profile::count_steps(const facts::Run& run, bool sites_grew) {
  creators_.assign(run.thread_count, kNoThread);
  std::vector<std::uint32_t> steps(run.thread_count);
  for (const Event& event : run.events) {
    if (event.thread >= run.thread_count) continue;
    if (is_step(event, sites_grew)) ++steps[event.thread];
    ThreadId created = wire::other_of(event);
    if (event.kind == OpKind::thread_create && created < run.thread_count)
      creators_[created] = event.thread;
  }
  std::vector<wire::ThreadWeight> weights = no_events(creators_);
  for (std::size_t id = 0; id < steps.size(); ++id) weights[id].events = steps[id];
  add_descendants(weights);
  // Runs are often alike: the same vector saves copying it again.
  if (!steps_ || *steps_ != weights) steps_ = std::make_shared<const Weights>(std::move(weights));
}

void Profile::count_variables(const facts::Run& run, bool sites_grew) {
  std::unordered_map<std::uint64_t, std::size_t> index;
  std::vector<Seen> all;
  std::vector<int> locks(run.thread_count);
  for (const Event& event : run.events) {
    if (event.thread >= run.thread_count) continue;
    bool locked = locks[event.thread] > 0;
    locks[event.thread] = locks_after(event, locks[event.thread]);
    bool counts =
        event.where.key() != 0 && is_step(event, sites_grew) && model::decides_order(event.kind);
    if (!counts) continue;
    auto [at, fresh] = index.try_emplace(event.where.key(), all.size());
    if (fresh && all.size() < kVariablesMax) all.push_back({.where = event.where});
    if (at->second < all.size()) take(all[at->second], event, locked);
  }
  variables_.clear();
  for (const Seen& seen : all) {
    if (seen.threads < 2 || !seen.decisive || !seen.unlocked) continue;
    Variable& variable = variables_.emplace_back(Variable{seen.where, {}});
    for (std::size_t id = 0; id < seen.events.size(); ++id)
      if (seen.events[id] > 0)
        variable.counts.push_back({static_cast<ThreadId>(id), seen.events[id]});
  }
}

void Profile::weigh_variables(facts::Plan& plan, unsigned size) const {
  if (size == 0 || variables_.empty()) return weigh_steps(plan);
  std::vector<std::size_t> order(variables_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // The policy draws from the seed itself; this is another stream.
  Rng rng(mix64(plan.header.seed + 1));
  std::size_t count = std::min<std::size_t>({size, order.size(), wire::kInterestingMax});
  // The latest run may have had fewer threads than the one in which variables were counted.
  Weights weights = no_events(creators_);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t left = order.size() - i;
    std::swap(order[i], order[i + rng.below(static_cast<std::uint32_t>(left))]);
    const Variable& variable = variables_[order[i]];
    plan.interest.places[i] = variable.where;
    for (const Count& of : variable.counts)
      if (of.thread < weights.size()) weights[of.thread].events += of.events;
  }
  plan.interest.place_count = static_cast<std::uint32_t>(count);
  add_descendants(weights);
  plan.weights = std::make_shared<const Weights>(std::move(weights));
}

}  // namespace raddle::search
