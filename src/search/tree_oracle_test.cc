// SPDX-License-Identifier: Apache-2.0
//
// The tree search against brute force on hundreds of random toy programs: every setting finds the
// final states, deadlocks and failing assertions that all interleavings (within the bound) have;
// partial-order reduction makes one complete run of each trace, and searches without it one of each
// interleaving. Tests only.
#include <gtest/gtest.h>

#include <algorithm>
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

void expect_ended(const Explored& found, const Summary& expected) {
  EXPECT_TRUE(found.finished);
  EXPECT_EQ(found.complete, expected.cut == 0);
  EXPECT_TRUE(found.tree_empty);
}

constexpr const char* kPriorities[] = {"pb",       "dpor",      "mdpor",      "ss",
                                       "rand",     "method",    "var",        "mdpor,pb",
                                       "ss,mdpor", "dpor,rand", "pb,ss,mdpor"};

TreeOptions settings(Ways ways, const char* priority) {
  return {.ways = ways, .priority = *Priority::parse(priority)};
}

std::uint64_t g_runs, g_blocked, g_traces;

// One run of each trace, and nothing missed. `exactly`: no assertion ends a run early and fairness
// holds nobody back.
void expect_reduced(const std::string& text, const Oracle& oracle, const TreeOptions& options,
                    bool exactly) {
  Explored found = explore_all(text, options);
  g_runs += found.runs + found.blocked;
  g_blocked += found.blocked;
  expect_ended(found, oracle.all);
  expect_same_sets(found, oracle.all);
  if (!exactly) return;
  EXPECT_EQ(found.runs, oracle.all.traces.size());
  EXPECT_EQ(found.blocked, 0u);
  for (const auto& [order, times] : found.traces)
    EXPECT_TRUE(times == 1 && oracle.all.traces.contains(order));
}

TEST(Fuzz, Dpor) {
  const char* from = getenv("FROM");
  const char* to = getenv("TO");
  const char* shape_ = getenv("SHAPE");
  toy::RandomShape shape;
  if (shape_) {
    shape.assertions = strchr(shape_, 'a');
    shape.spins = strchr(shape_, 's');
  }
  if (getenv("IL")) shape.interleavings_max = std::stoul(getenv("IL"));
  int bad = 0;
  std::map<std::string, int> blocked;
  for (int i = atoi(from); i < atoi(to); ++i) {
    std::string text = toy::random_program(i, shape);
    Oracle oracle(text);
    if (!oracle.enumerated) {
      printf("%d too large\n", i);
      continue;
    }
    Explored found = explore_all(text, {.ways = Ways::reversals});
    bool exact = oracle.all.cut == 0 && !oracle.unfair && !shape.assertions;
    bool sets = found.results == oracle.all.results && found.deadlocks == oracle.all.deadlocks;
    bool count = found.runs == oracle.all.traces.size();
    bool dup = false;
    for (auto& [o, t] : found.traces) dup |= t > 1;
    g_runs += oracle.runs.size();
    g_traces += found.runs;
    g_blocked += found.blocked;
    if (!sets || !found.finished || !found.tree_empty || (exact && (!count || dup)) ||
        (getenv("SHOWB") && found.blocked)) {
      printf(
          "%d: sets %d fin %d empty %d count %lu/%zu blocked %lu brute %zu dup %d unfair %d\n   "
          "%s\n",
          i, sets, found.finished, found.tree_empty, found.runs, oracle.all.traces.size(),
          found.blocked, oracle.runs.size(), dup, oracle.unfair, text.c_str());
      if (++bad > 30) break;
    }
  }
  printf("brute %lu dpor %lu blocked %lu bad %d\n", g_runs, g_traces, g_blocked, bad);
}

}  // namespace
}  // namespace raddle::search
