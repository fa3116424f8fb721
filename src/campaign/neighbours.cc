// SPDX-License-Identifier: Apache-2.0
//
// Runs like a given one. Engine side.
#include "campaign/neighbours.h"

#include <string.h>

#include <algorithm>

namespace raddle::campaign {
namespace {

constexpr std::size_t kOneByOne = 24;     // cuts, before the strides grow
constexpr std::uint32_t kBranchSpan = 8;  // choices around the last cut that passed

void set_policy(wire::Plan& header, const char* name) {
  memset(header.policy, 0, sizeof header.policy);
  strncpy(header.policy, name, sizeof header.policy - 1);
}

}  // namespace

Neighbours::Neighbours(const facts::Plan& plan, const facts::Run& run, std::uint64_t seed)
    : plan_(plan), choices_(run.choices.begin(), run.choices.end()), rng_(seed) {
  plan_.steering = {};
  plan_.header.systematic = plan_.header.racing_only = 0;
  plan_.header.races = 1;
  plan_.header.stacks = 1;
  plan_.header.expected_steps = std::max(run.steps, 1u);
  plan_.header.expected_threads = std::max(run.thread_count, 1u);
  branch_ = choices_.size();
}

facts::Plan Neighbours::cut(std::size_t choices, const char* policy) {
  facts::Plan plan = plan_;
  set_policy(plan.header, policy);
  // Values that are drawn but not chosen come from the seed: a cut keeps them.
  if (strcmp(policy, "prefix") != 0) plan.header.seed = rng_.next();
  auto end = choices_.begin() + static_cast<std::ptrdiff_t>(choices);
  plan.steering = facts::Choices{{choices_.begin(), end}};
  return plan;
}

facts::Plan Neighbours::sample() {
  constexpr const char* kPolicies[] = {"nonpreemptive", "random", "pct", "pos", "round-robin"};
  // The two that do not depend on a seed need not come again.
  std::uint64_t turn = samples_++;
  std::size_t which = turn < 5 ? turn : 1 + turn % 3;
  facts::Plan plan = plan_;
  set_policy(plan.header, kPolicies[which]);
  plan.header.seed = rng_.next();
  plan.header.depth = 2 + rng_.below(3);
  return plan;
}

bool Neighbours::next_cut(std::size_t& choices) {
  if (back_ >= choices_.size()) return false;
  back_ += back_ < kOneByOne ? 1 : back_ / 4;
  back_ = std::min(back_, choices_.size());
  choices = choices_.size() - back_;
  return true;
}

facts::Plan Neighbours::next() {
  std::uint64_t turn = made_++ % 4;
  was_cut_ = false;
  std::size_t choices = 0;
  if (turn < 2 && next_cut(choices)) {
    was_cut_ = true;
    return cut(choices, "prefix");
  }
  if (turn == 3 || choices_.empty()) return sample();
  std::size_t last = std::min(branch_ + 2, choices_.size() - 1);
  std::size_t first = branch_ > kBranchSpan ? branch_ - kBranchSpan : 0;
  first = std::min(first, last);
  // Half of them from anywhere: the decision may lie long before the failure.
  if (rng_.below(2) == 0) first = 0;
  return cut(first + rng_.below(static_cast<std::uint32_t>(last - first + 1)), "random");
}

void Neighbours::observe(bool passed) {
  if (!was_cut_ || found_) return;
  branch_ = choices_.size() - back_;
  found_ = passed;
}

}  // namespace raddle::campaign
