// SPDX-License-Identifier: Apache-2.0
//
// The tree search against brute force on hundreds of random toy programs: every setting finds the
// final states, deadlocks and failing assertions that all interleavings (within the bound) have;
// partial-order reduction makes one complete run of each trace, and searches without it one of each
// interleaving. Tests only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "policy/fairness.h"
#include "search/tree_search.h"
#include "testing/toy_enumerate.h"
#include "testing/toy_random.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

constexpr std::uint64_t kRunsMax = 20000;

// What one run came to.
struct Seen {
  toy::End end;
  std::uint64_t order;  // its happens-before class
  std::string result;   // final state, or the assertion that failed
  std::uint32_t preemptions;
  std::uint32_t delays;
};

// What a set of runs came to.
struct Summary {
  std::uint64_t runs = 0, blocked = 0, cut = 0;
  std::map<std::uint64_t, unsigned> traces;  // of runs that were complete or deadlocked
  std::set<std::uint64_t> deadlocks;
  std::set<std::string> results;  // final states and failures

  void add(const Seen& seen) {
    if (seen.end == toy::End::blocked) {
      ++blocked;
      return;
    }
    ++runs;
    if (seen.end == toy::End::complete || seen.end == toy::End::deadlock) ++traces[seen.order];
    if (seen.end == toy::End::deadlock) deadlocks.insert(seen.order);
    if (seen.end == toy::End::limit || seen.end == toy::End::stopped) ++cut;
    if (!seen.result.empty()) results.insert(seen.result);
  }
};

// Delay bounding by its definition: as many as candidates come before the one picked, counted
// round-robin from the one that would go on.
std::uint32_t delays_of(const toy::Outcome& run) {
  std::uint32_t delays = 0;
  for (std::size_t i = 0; i < run.choices.size(); ++i) {
    if (run.choices[i].kind == wire::OpKind::value) continue;
    std::vector<ThreadId> order;
    for (ThreadId t = 0; t < 64; ++t)
      if ((run.sets[i].enabled >> t & 1) != 0) order.push_back(t);
    auto first = std::ranges::find(order, run.sets[i].current);
    if (first != order.end()) std::rotate(order.begin(), first, order.end());
    delays +=
        static_cast<std::uint32_t>(std::ranges::find(order, run.choices[i].picked) - order.begin());
  }
  return delays;
}

Seen see(const toy::Program& program, const toy::Outcome& run) {
  Seen seen{run.end, 0, "", run.preemptions, delays_of(run)};
  if (run.end == toy::End::complete || run.end == toy::End::deadlock)
    seen.order = toy::happens_before_hash(program, run);
  if (run.end == toy::End::complete) seen.result = toy::state(run);
  if (run.end == toy::End::assertion) seen.result = failed_step(program, run);
  return seen;
}

// All runs of a program, under the fairness filter as ToyTarget has it.
struct Oracle {
  toy::Program program;
  std::vector<Seen> runs;
  bool enumerated;
  bool unfair = false;
  Summary all;

  explicit Oracle(const std::string& text) : program(toy::program(text)) {
    policy::FairnessFilter fairness;
    toy::Conditions conditions{toy::plan_for("dfs"), {}, {&fairness}};
    conditions.plan.max_steps = toy_options().max_steps;
    enumerated = toy::for_each_run(program, conditions, kRunsMax, [&](const toy::Outcome& run) {
      runs.push_back(see(program, run));
      unfair = unfair || run.cuts > 0;
      all.add(runs.back());
    });
  }

  Summary within(BoundKind kind, std::uint32_t bound) const {
    Summary summary;
    for (const Seen& run : runs)
      if ((kind == BoundKind::preemptions ? run.preemptions : run.delays) <= bound)
        summary.add(run);
    return summary;
  }
};

struct Explored : Summary {
  bool finished = false, complete = false, tree_empty = false;
  bool ordered = true;  // by preemptions
};

Explored explore_all(const std::string& text, const TreeOptions& options) {
  TreeSearch search(toy_options(), options);
  ToyTarget target(text);
  Explored found;
  std::uint32_t preemptions = 0;
  found.finished = for_each_run(search, target, 4 * kRunsMax, [&](const toy::Outcome& run) {
    found.ordered = found.ordered && run.preemptions >= preemptions;
    preemptions = run.preemptions;
    found.add(see(target.program(), run));
  });
  found.complete = search.complete();
  found.tree_empty = search.tree().empty() && search.size().nodes == 0 && search.size().open == 0;
  return found;
}

void expect_same_sets(const Summary& found, const Summary& expected) {
  EXPECT_EQ(found.results, expected.results);
  EXPECT_EQ(found.deadlocks, expected.deadlocks);
}

constexpr const char* kPriorities[] = {"pb",       "dpor",      "mdpor",      "ss",
                                       "rand",     "method",    "var",        "mdpor,pb",
                                       "ss,mdpor", "dpor,rand", "pb,ss,mdpor"};

TreeOptions settings(Ways ways, const char* priority) {
  return {.ways = ways, .priority = *Priority::parse(priority)};
}

// What is said at the end of a test.
struct Totals {
  std::uint64_t programs = 0, enumerated = 0, runs = 0, traces = 0, blocked = 0, missed = 0;

  ~Totals() {
    std::printf(
        "%llu programs, %llu runs by brute force; compared: %llu runs; dpor: %llu runs, %llu "
        "blocked; programs in which fairness hid something from dpor: %llu\n",
        static_cast<unsigned long long>(programs), static_cast<unsigned long long>(enumerated),
        static_cast<unsigned long long>(runs), static_cast<unsigned long long>(traces),
        static_cast<unsigned long long>(blocked), static_cast<unsigned long long>(missed));
  }
};

class Comparison {
 public:
  Comparison(std::uint64_t number, const toy::RandomShape& shape, Totals& totals)
      : text_(toy::random_program(number, shape)), oracle_(text_), totals_(totals) {
    // Spin loops make runs that cannot be counted beforehand.
    EXPECT_TRUE(oracle_.enumerated || shape.spins) << text_;
    if (oracle_.enumerated) ++totals_.programs;
    totals_.enumerated += oracle_.runs.size();
  }
  const Oracle& oracle() const { return oracle_; }
  // Neither fairness nor a limit has a say, and no assertion ends a run early.
  bool exact() const {
    bool failed = std::ranges::any_of(
        oracle_.runs, [](const Seen& run) { return run.end == toy::End::assertion; });
    return !oracle_.unfair && oracle_.all.cut == 0 && !failed;
  }

  // One run of each trace, and nothing missed.
  void reduced(const TreeOptions& options) {
    SCOPED_TRACE(text_);
    Explored found = explored(options);
    totals_.traces += found.runs;
    totals_.blocked += found.blocked;
    EXPECT_TRUE(found.complete);
    expect_same_sets(found, oracle_.all);
    if (!exact()) return;
    EXPECT_EQ(found.runs, oracle_.all.traces.size());
    for (const auto& [order, times] : found.traces)
      EXPECT_TRUE(times == 1 && oracle_.all.traces.contains(order));
  }

  // One run of each interleaving.
  void all_ways(const TreeOptions& options) {
    SCOPED_TRACE(text_);
    Explored found = explored(options);
    EXPECT_EQ(found.complete, oracle_.all.cut == 0);
    EXPECT_TRUE(!options.by_preemptions || found.ordered);
    expect_equal(found, oracle_.all);
  }

  // One run of each interleaving within the bound.
  void bounded(BoundKind kind, std::uint32_t bound, const Priority& priority = {}) {
    SCOPED_TRACE(text_);
    Explored found = explored({.bound_kind = kind, .bound = bound, .priority = priority});
    Summary expected = oracle_.within(kind, bound);
    EXPECT_EQ(found.complete, expected.cut == 0);
    expect_equal(found, expected);
  }

  // Nothing is made up; where fairness has a say, something may be missed.
  void fair() {
    SCOPED_TRACE(text_);
    Explored found = explored({.ways = Ways::reversals});
    totals_.traces += found.runs;
    totals_.blocked += found.blocked;
    EXPECT_TRUE(std::ranges::includes(oracle_.all.results, found.results));
    EXPECT_TRUE(std::ranges::includes(oracle_.all.deadlocks, found.deadlocks));
    bool same = found.results == oracle_.all.results && found.deadlocks == oracle_.all.deadlocks;
    if (!same) ++totals_.missed;
    EXPECT_TRUE(same || !found.complete);
    EXPECT_TRUE(!exact() || found.runs == oracle_.all.traces.size());
  }

 private:
  Explored explored(const TreeOptions& options) {
    Explored found = explore_all(text_, options);
    totals_.runs += found.runs + found.blocked;
    EXPECT_TRUE(found.finished);
    EXPECT_TRUE(found.tree_empty);
    return found;
  }
  void expect_equal(const Explored& found, const Summary& expected) {
    EXPECT_EQ(found.runs, expected.runs);
    EXPECT_EQ(found.blocked, 0u);
    EXPECT_EQ(found.traces, expected.traces);
    expect_same_sets(found, expected);
  }

  std::string text_;
  Oracle oracle_;
  Totals& totals_;
};

TEST(TreeOracle, ReducedSearchesMakeOneRunOfEachTrace) {
  Totals totals;
  for (std::uint64_t number = 0; number < 500; ++number) {
    Comparison comparison(number, {.interleavings_max = 1200}, totals);
    comparison.reduced({.ways = Ways::reversals});
    comparison.reduced(settings(Ways::reversals, kPriorities[number % std::size(kPriorities)]));
  }
  // Those that the reduction begins in vain are few.
  EXPECT_LT(totals.blocked * 20, totals.traces);
}

TEST(TreeOracle, EveryPriorityFindsEverything) {
  Totals totals;
  for (std::uint64_t number = 1000; number < 1100; ++number) {
    Comparison comparison(number, {.interleavings_max = 120}, totals);
    for (const char* priority : kPriorities) {
      SCOPED_TRACE(priority);
      comparison.reduced(settings(Ways::reversals, priority));
      comparison.all_ways(settings(Ways::all, priority));
      comparison.bounded(BoundKind::preemptions, 1, *Priority::parse(priority));
    }
  }
}

TEST(TreeOracle, SearchesOfAllWaysMakeOneRunOfEachInterleaving) {
  Totals totals;
  for (std::uint64_t number = 2000; number < 2200; ++number) {
    Comparison comparison(number, {.interleavings_max = 300}, totals);
    comparison.all_ways({});
    comparison.all_ways({.priority = *Priority::parse("pb"), .by_preemptions = true});
    comparison.all_ways(settings(Ways::all, "rand"));
  }
}

TEST(TreeOracle, BoundedSearchesMakeOneRunOfEachInterleavingWithinTheBound) {
  Totals totals;
  for (std::uint64_t number = 3000; number < 3200; ++number) {
    Comparison comparison(number, {.interleavings_max = 300}, totals);
    for (std::uint32_t bound = 0; bound <= 3; ++bound) {
      comparison.bounded(BoundKind::preemptions, bound);
      comparison.bounded(BoundKind::delays, bound);
    }
  }
}

TEST(TreeOracle, EveryAssertionThatCanFailIsFound) {
  Totals totals;
  for (std::uint64_t number = 4000; number < 4200; ++number) {
    Comparison comparison(number, {.interleavings_max = 400, .assertions = true}, totals);
    comparison.reduced({.ways = Ways::reversals});
    comparison.reduced(settings(Ways::reversals, kPriorities[number % std::size(kPriorities)]));
    comparison.all_ways({});
    comparison.bounded(BoundKind::preemptions, static_cast<std::uint32_t>(number % 4));
    comparison.bounded(BoundKind::delays, static_cast<std::uint32_t>(number % 4));
  }
}

TEST(TreeOracle, LargerPrograms) {
  Totals totals;
  for (std::uint64_t number = 5000; number < 5012; ++number) {
    Comparison comparison(number, {.interleavings_max = 12000}, totals);
    comparison.reduced({.ways = Ways::reversals});
  }
}

// Under the fairness filter, searches of all ways remain exact.
TEST(TreeOracle, YieldsAndSpinLoops) {
  Totals totals;
  for (std::uint64_t number = 6000; number < 6200; ++number) {
    toy::RandomShape shape{.interleavings_max = 150, .spins = true};
    Comparison comparison(number, shape, totals);
    if (!comparison.oracle().enumerated) continue;
    comparison.fair();
    if (comparison.oracle().runs.size() > 1000) continue;
    comparison.all_ways({});
    comparison.bounded(BoundKind::preemptions, static_cast<std::uint32_t>(number % 3));
    comparison.bounded(BoundKind::delays, static_cast<std::uint32_t>(number % 3));
  }
  EXPECT_LT(totals.missed * 50, totals.programs);
}

}  // namespace
}  // namespace raddle::search
