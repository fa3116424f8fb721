// SPDX-License-Identifier: Apache-2.0
//
// Learning from runs. Engine side.
#include "search/learned.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/check.h"
#include "base/rng.h"
#include "launch/shared_memory.h"
#include "search/bytes.h"

namespace raddle::search {
namespace {

// Of how many variables surw samples the order, by chance; 0 is everything. Bugs that hang on one
// variable and bugs that hang on many are both common, and nobody knows beforehand.
constexpr std::array<unsigned, 4> kSurwSizes = {1, 2, 3, 0};

// Plain accesses that were not points in this run because their sites were not yet known.
std::uint32_t future_points(std::span<const wire::Event> events) {
  std::uint32_t count = 0;
  for (const wire::Event& event : events)
    if (wire::is_plain_access(event.kind) && (event.flags & wire::kEventStep) == 0) ++count;
  return count;
}

}  // namespace

void Learned::observe(const facts::Run& run) {
  ++runs_;
  std::uint32_t steps = run.steps;
  sites_grew_ = false;
  if (options_.points == wire::Points::shared) {
    sites_grew_ = sites_.add_from(run);
    if (sites_grew_) steps += future_points(run.events);
  }
  steps_max_ = std::max(steps_max_, std::min(steps, options_.max_steps));
  threads_max_ = std::max(threads_max_, run.thread_count);
  if (profiles_) profile_.observe(run, sites_grew_);
}

void Learned::skip(const wire::Batch& batch, std::uint64_t runs) {
  runs_ += runs;
  sites_grew_ = false;
  steps_max_ = std::max(steps_max_, std::min(batch.longest, options_.max_steps));
  threads_max_ = std::max(threads_max_, batch.threads);
}

std::string Learned::save() const {
  std::string saved;
  put_bytes(saved, runs_);
  put_bytes(saved, steps_max_);
  put_bytes(saved, threads_max_);
  if (sites_.sites()) put_array(saved, *sites_.sites());
  return saved;
}

bool Learned::load(std::string_view saved) {
  std::vector<SiteId> sites;
  if (!take_bytes(saved, runs_) || !take_bytes(saved, steps_max_) ||
      !take_bytes(saved, threads_max_) || !take_array(saved, sites))
    return false;
  if (std::adjacent_find(sites.begin(), sites.end(), std::greater_equal<>()) != sites.end())
    return false;
  sites_.restore(std::move(sites));
  return true;
}

void Learned::know(std::vector<SiteId> sites) {
  if (options_.points != wire::Points::shared) return;
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  if (sites.size() > launch::kSitesMax) sites.resize(launch::kSitesMax);
  sites_.restore(std::move(sites));
}

facts::Plan Learned::plan(std::string_view policy, std::uint32_t depth, std::uint64_t index) const {
  facts::Plan plan;
  wire::Plan& header = plan.header;
  RADDLE_CHECK(policy.size() < wire::kPolicyNameMax);
  std::copy(policy.begin(), policy.end(), header.policy);
  header.seed = run_seed(options_.seed, index);
  header.depth = depth;
  header.expected_steps = steps_max_;
  header.expected_threads = threads_max_;
  header.max_steps = options_.max_steps;
  header.spurious = options_.spurious;
  header.races = options_.races;
  header.points = options_.points;
  header.timers = options_.timers;
  header.stop_when_idle = options_.stop_when_idle ? 1 : 0;
  if (options_.points == wire::Points::shared) plan.sites = sites_.sites();
  if (policy == "urw") profile_.weigh_steps(plan);
  if (policy == "surw") {
    // By the seed, not in turn: auto asks for surw every other time.
    std::uint64_t drawn = mix64(header.seed + kSurwSizes.size()) % kSurwSizes.size();
    profile_.weigh_variables(plan, kSurwSizes[drawn]);
  }
  return plan;
}

}  // namespace raddle::search
