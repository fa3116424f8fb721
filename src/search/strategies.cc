// SPDX-License-Identifier: Apache-2.0
//
// The list of strategies. Engine side. To add one: a row.
#include "search/strategies.h"

#include <fmt/core.h>

#include <vector>

#include "launch/did_you_mean.h"
#include "search/dfs.h"
#include "search/ensemble.h"
#include "search/portfolio.h"
#include "search/sampling.h"
#include "search/tree_search.h"

namespace raddle::search {
namespace {

template <const char* const& policy>
std::unique_ptr<Search> sample(const PlanOptions& options) {
  return std::make_unique<Sampling>(policy, options);
}

std::unique_ptr<Search> exhaustive(const PlanOptions& options) {
  return std::make_unique<Dfs>(options);
}

// Options that have been checked already (search_options.h).
Priority priority_of(const PlanOptions& options, std::string_view otherwise) {
  auto parsed = Priority::parse(options.priority.empty() ? otherwise : options.priority);
  return parsed ? *parsed : Priority();
}

std::unique_ptr<Search> dpor(const PlanOptions& options) {
  return std::make_unique<TreeSearch>(options, TreeOptions{.ways = Ways::reversals});
}

std::unique_ptr<Search> best_first(const PlanOptions& options) {
  TreeOptions tree{.ways = Ways::reversals, .priority = priority_of(options, "mdpor,pb")};
  if (options.bound) {
    tree.ways = Ways::all;
    tree.bound_kind = BoundKind::preemptions;
    tree.bound = *options.bound;
  }
  return std::make_unique<TreeSearch>(options, tree);
}

template <BoundKind kind>
std::unique_ptr<Search> bounded(const PlanOptions& options) {
  return std::make_unique<TreeSearch>(
      options, TreeOptions{.bound_kind = kind, .bound = options.bound.value_or(2)});
}

std::unique_ptr<Search> context_bound(const PlanOptions& options) {
  return std::make_unique<TreeSearch>(
      options, TreeOptions{.priority = *Priority::parse("pb"), .by_preemptions = true});
}

std::unique_ptr<Search> random_walk(const PlanOptions& options) {
  return std::make_unique<TreeSearch>(options, TreeOptions{.priority = *Priority::parse("rand")});
}

std::unique_ptr<Search> tree(const PlanOptions& options, Ways ways, const char* priority,
                             std::optional<std::uint32_t> bound = std::nullopt) {
  TreeOptions settings{.ways = ways, .priority = *Priority::parse(priority)};
  if (bound) settings.bound_kind = BoundKind::preemptions;
  settings.bound = bound.value_or(0);
  return std::make_unique<TreeSearch>(options, settings);
}

// Sampling finds most bugs within some hundred runs; after that a systematic search goes beside it,
// to the end where the program is small.
std::unique_ptr<Search> sampling_first(const PlanOptions& options) {
  constexpr std::uint64_t kSampledFirst = 200;
  // A run of a batch takes about a third of the time of one that a search looks at.
  constexpr std::uint64_t kBatchWeight = 3;
  std::vector<Ensemble::Member> members(2);
  members[0] = {.search = std::make_unique<Portfolio>(options),
                .head_start = kSampledFirst,
                .batch_weight = kBatchWeight};
  members[1] = {.search = tree(options, Ways::reversals, "mdpor,pb"), .decides = true};
  return std::make_unique<ResumableEnsemble>(std::move(members), 1);
}

// Different heuristics. Those by partial-order reduction look at everything.
std::unique_ptr<Search> together(const PlanOptions& all) {
  PlanOptions options = all;
  constexpr std::uint64_t kTrees = 4;
  options.memory_bytes = (all.memory_bytes + kTrees - 1) / kTrees;
  std::vector<Ensemble::Member> members(5);
  members[0] = {.search = tree(options, Ways::reversals, "mdpor,pb"), .decides = true};
  members[1] = {.search = std::make_unique<Portfolio>(options)};
  members[2] = {.search = tree(options, Ways::reversals, "pb"), .decides = true};
  members[3] = {.search = tree(options, Ways::all, "ss,mdpor", all.bound.value_or(2))};
  members[4] = {.search = tree(options, Ways::reversals, "rand"), .decides = true};
  return std::make_unique<Ensemble>(std::move(members));
}

std::unique_ptr<Search> sampling_only(const PlanOptions& options) {
  return std::make_unique<Portfolio>(options);
}

constexpr const char* kRandom = "random";
constexpr const char* kPct = "pct";
constexpr const char* kPos = "pos";
constexpr const char* kUrw = "urw";
constexpr const char* kSurw = "surw";
constexpr const char* kRoundRobin = "round-robin";
constexpr const char* kNonpreemptive = "nonpreemptive";

constexpr Strategy kStrategies[] = {
    {"auto",
     "turns of surw, pct, pos and a round-robin, after 200 runs beside best-first (default)",
     sampling_first, Takes::memory, false, sampling_only},
    {"random", "any enabled thread with equal chance at every choice", sample<kRandom>,
     Takes::nothing, false, sample<kRandom>},
    {"pct", "random priorities, changed at a few random steps; promises bugs of small --depth",
     sample<kPct>, Takes::nothing, false, sample<kPct>},
    {"pos", "random order of conflicting operations only: samples partial orders", sample<kPos>,
     Takes::nothing, false, sample<kPos>},
    {"urw", "threads by the steps they have left: all interleavings equally often", sample<kUrw>,
     Takes::nothing, false, sample<kUrw>},
    {"surw", "the same for the operations on a few shared variables, chosen anew for every run",
     sample<kSurw>, Takes::nothing, false, sample<kSurw>},
    {"round-robin", "the next enabled thread at every choice: one schedule", sample<kRoundRobin>},
    {"nonpreemptive", "a thread runs until it blocks or ends: one schedule",
     sample<kNonpreemptive>},
    {"dfs", "every interleaving, depth first: for small tests, and says when it has run all",
     exhaustive, Takes::nothing, true},
    {"dpor", "one run for each trace: interleavings that differ in independent steps are run once",
     dpor, Takes::memory, true},
    {"best-first", "the same in the order of --priority; with --bound all within it", best_first,
     Takes::bound | Takes::priority | Takes::memory, true},
    {"preemption-bound", "every interleaving with at most --bound preemptions (2)",
     bounded<BoundKind::preemptions>, Takes::bound | Takes::memory, true},
    {"context-bound", "every interleaving without preemption, then with 1, then with 2, ...",
     context_bound, Takes::memory, true},
    {"delay-bound", "every interleaving that passes over --bound threads at most (2)",
     bounded<BoundKind::delays>, Takes::bound | Takes::memory, true},
    {"random-walk", "every interleaving, in random order, none twice", random_walk, Takes::memory,
     true},
    {"portfolio", "best-first in three orders, all within --bound (2) and auto's sampling, in turn",
     together, Takes::bound | Takes::memory},
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
