// SPDX-License-Identifier: Apache-2.0
//
// The list of strategies. Engine side. To add one: a row.
#include "search/strategies.h"

#include <fmt/core.h>

#include <vector>

#include "launch/did_you_mean.h"
#include "search/dfs.h"
#include "search/portfolio.h"
#include "search/sampling.h"

namespace raddle::search {
namespace {

template <const char* const& policy>
std::unique_ptr<Search> sample(const PlanOptions& options) {
  return std::make_unique<Sampling>(policy, options);
}

std::unique_ptr<Search> portfolio(const PlanOptions& options) {
  return std::make_unique<Portfolio>(options);
}

std::unique_ptr<Search> exhaustive(const PlanOptions& options) {
  return std::make_unique<Dfs>(options);
}

constexpr const char* kRandom = "random";
constexpr const char* kPct = "pct";
constexpr const char* kPos = "pos";
constexpr const char* kUrw = "urw";
constexpr const char* kSurw = "surw";
constexpr const char* kRoundRobin = "round-robin";
constexpr const char* kNonpreemptive = "nonpreemptive";

constexpr Strategy kStrategies[] = {
    {"auto", "takes turns between surw, pct, pos and a round-robin (default)", portfolio},
    {"random", "any enabled thread with equal chance at every choice", sample<kRandom>},
    {"pct", "random priorities, changed at a few random steps; promises bugs of small --depth",
     sample<kPct>},
    {"pos", "random order of conflicting operations only: samples partial orders", sample<kPos>},
    {"urw", "threads by the steps they have left: all interleavings equally often", sample<kUrw>},
    {"surw", "the same for the operations on a few shared variables, chosen anew for every run",
     sample<kSurw>},
    {"round-robin", "the next enabled thread at every choice: one schedule", sample<kRoundRobin>},
    {"nonpreemptive", "a thread runs until it blocks or ends: one schedule",
     sample<kNonpreemptive>},
    {"dfs", "every interleaving, depth first: for small tests, and says when it has run all",
     exhaustive},
};

}  // namespace

std::span<const Strategy> strategies() { return kStrategies; }

Result<const Strategy*> find_strategy(std::string_view name) {
  std::vector<std::string> names;
  for (const Strategy& strategy : kStrategies) {
    if (strategy.name == name) return &strategy;
    names.emplace_back(strategy.name);
  }
  std::string hint = launch::did_you_mean(name, names);
  if (hint.empty()) hint = "; `raddle list strategies` shows all";
  return Error{fmt::format("unknown strategy `{}`{}", name, hint), kExitUsage};
}

}  // namespace raddle::search
