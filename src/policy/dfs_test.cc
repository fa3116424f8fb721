// SPDX-License-Identifier: Apache-2.0
//
// Depth-first search over toy programs: every interleaving once, by counts derived by hand and
// against a recursive brute force; and what happens to runs that leave their path. Tests only.
#include "policy/dfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"
#include "policy/dfs_step.h"
#include "policy/fairness.h"
#include "testing/toy_enumerate.h"

namespace raddle::policy {
namespace {

using ::testing::ElementsAre;
using toy::plan_for;
using wire::ChoiceRecord;
using wire::OpKind;

// What happened, values that were chosen included: equal for equal interleavings only.
std::string story(const toy::Program& program, const toy::Outcome& run) {
  std::string text = toy::trace(program, run);
  for (const ChoiceRecord& choice : run.choices)
    if (choice.kind == OpKind::value) text += ' ' + std::to_string(choice.picked);
  return text;
}

struct Enumeration {
  std::vector<std::string> stories;
  bool exhausted = false;
  bool wide = false;
  std::uint64_t cuts = 0;
};

// Goes from path to path, as a search does.
Enumeration enumerate(const std::string& text, std::size_t runs_max = 100000,
                      std::vector<Filter*> filters = {}, std::uint32_t max_steps = 0) {
  toy::Runner runner(text);
  Enumeration result;
  std::vector<ChoiceRecord> ranks;
  DfsPath path;
  wire::Plan plan = plan_for("dfs");
  plan.max_steps = max_steps;
  while (!result.exhausted && result.stories.size() < runs_max) {
    facts::Ranks given{{ranks.begin(), ranks.begin() + path.count}};
    toy::Outcome run = runner.run({plan, given, filters});
    EXPECT_NE(run.end, toy::End::stopped) << text;
    auto made = static_cast<std::uint32_t>(run.choices.size());
    EXPECT_TRUE(dfs_followed(path, made)) << text;
    result.stories.push_back(story(runner.program_of(), run));
    result.cuts += run.cuts;
    if (ranks.size() < made) ranks.resize(made);
    path.ranks = ranks.data();
    result.exhausted = dfs_next(path, run.choices.data(), made) == DfsStep::exhausted;
  }
  result.wide = path.wide;
  return result;
}

// The number of interleavings; each was visited once.
std::size_t count(const std::string& text) {
  Enumeration all = enumerate(text);
  EXPECT_TRUE(all.exhausted) << text;
  std::set<std::string> distinct(all.stories.begin(), all.stories.end());
  EXPECT_EQ(distinct.size(), all.stories.size()) << text;
  return all.stories.size();
}

std::string steps(const char* name, int number) {
  std::string text = std::string(name) + ": step";
  for (int i = 1; i < number; ++i) text += "; step";
  return text;
}

TEST(Dfs, TwoThreadsOfIndependentStepsGiveABinomialCoefficient) {
  constexpr std::size_t kBinomial[][3] = {{1, 1, 2},  {1, 4, 5},   {2, 2, 6},  {3, 3, 20},
                                          {2, 5, 21}, {4, 6, 210}, {6, 6, 924}};
  for (auto [m, n, expected] : kBinomial)
    EXPECT_EQ(count(steps("A", static_cast<int>(m)) + " | " + steps("B", static_cast<int>(n))),
              expected);
}

TEST(Dfs, ThreeThreadsGiveAMultinomialCoefficient) {
  EXPECT_EQ(count("A: step; step | B: step; step | C: step; step"), 90u);     // 6! / 2!2!2!
  EXPECT_EQ(count("A: step; step; step | B: step; step | C: step"), 60u);     // 6! / 3!2!1!
  EXPECT_EQ(count("A: step | B: step | C: step | D: step | E: step"), 120u);  // 5!
  EXPECT_EQ(count("A: step; step; step; step; step"), 1u) << "nobody to choose from";
}

TEST(Dfs, MutexesLeaveOnlyTheOrderOfCriticalSections) {
  EXPECT_EQ(count("A: lock m; w x; unlock m | B: lock m; w x; unlock m"), 2u);
  EXPECT_EQ(count("A: lock m; unlock m | B: lock m; unlock m | C: lock m; unlock m"), 6u);
  // If A's section comes first, B's first step lies in one of four places before B locks.
  EXPECT_EQ(count("A: step; lock m; unlock m | B: step; lock m; unlock m"), 8u);
  // Whoever takes both locks first gives back one before the other can go on: two orders of that
  // step and of the other's first, for each of them; and two orders to a deadlock.
  EXPECT_EQ(count("A: lock a; lock b; unlock b; unlock a | B: lock b; lock a; unlock a; unlock b"),
            6u);
}

TEST(Dfs, BlockedThreadsAreNoChoice) {
  // B waits for A's last step.
  EXPECT_EQ(count("init: s 0 | A: step; step; post s | B: semwait s; step"), 1u);
  EXPECT_EQ(count("M: spawn A; join A; step | A: step; step"), 1u);
  // A's two steps among M's spawn of B and B's two: after "spawn A", three sequences interleave:
  // B's steps come after "spawn B". Orders of a1 a2 s b1 b2 with s < b1 < b2 and a1 < a2: C(5,2).
  EXPECT_EQ(count("M: spawn A; spawn B | A: step; step | B: step; step"), 10u);
}

TEST(Dfs, ValuesAreBranchesToo) {
  EXPECT_EQ(count("A: choose 3; choose 4"), 12u);
  EXPECT_EQ(count("A: choose 3; step | B: step"), 9u);  // three orders, three values each
  EXPECT_EQ(count("A: choose 2 | B: choose 2"), 8u);
}

// The running thread goes on first; then the others by ascending id, whoever they are.
TEST(Dfs, OrderOfPathsIsByRanks) {
  EXPECT_THAT(enumerate("A: step | B: step | C: step").stories,
              ElementsAre("A: step; B: step; C: step", "A: step; C: step; B: step",
                          "B: step; A: step; C: step", "B: step; C: step; A: step",
                          "C: step; A: step; B: step", "C: step; B: step; A: step"));
  EXPECT_THAT(enumerate("A: step; w a | B: step; w b", 4).stories,
              ElementsAre("A: step; A: w a; B: step; B: w b", "A: step; B: step; B: w b; A: w a",
                          "A: step; B: step; A: w a; B: w b", "B: step; B: w b; A: step; A: w a"));
}

TEST(Dfs, TheEmptyPathDoesNotPreempt) {
  for (const char* text : {"A: w x; r y | B: w y; choose 3; w x $ | C: inc x",
                           "A: lock m; yield; unlock m | B: lock m; inc x; unlock m"}) {
    toy::Runner runner(text);
    EXPECT_EQ(runner.run(plan_for("dfs")).choices, runner.run(plan_for("nonpreemptive")).choices);
  }
}

TEST(Dfs, FairnessMakesSpinLoopsFinite) {
  FairnessFilter fairness;
  std::string text = "A: spin f 1; r x | B: w x; store f 1";
  Enumeration all = enumerate(text, 100000, {&fairness});
  EXPECT_TRUE(all.exhausted);
  EXPECT_GT(all.cuts, 0u);
  toy::Conditions conditions{plan_for("dfs"), {}, {&fairness}};
  EXPECT_EQ(all.stories.size(), toy::enumerate(toy::program(text), conditions).runs());
}

TEST(Dfs, RunsThatAreCutAreEnumeratedUpToThere) {
  // Any two threads at each of the first three of four steps, the last: 2^3.
  EXPECT_EQ(enumerate("A: step; step; step; step | B: step; step; step; step", 1000, {}, 3)
                .stories.size(),
            8u);
}

// -- against a recursive brute force
// ---------------------------------------------------------------

// Follows explicit picks, then takes the lowest candidate; notes all candidates of each choice.
class Explorer final : public Policy {
 public:
  explicit Explorer(const std::vector<std::uint32_t>& picks) : picks_(picks) {}
  void begin(const PlanView&) override {}
  ThreadId pick(const Choice& choice) override {
    std::vector<std::uint32_t> candidates;
    choice.enabled.for_each([&](ThreadId t) { candidates.push_back(t); });
    return static_cast<ThreadId>(take(std::move(candidates)));
  }
  std::uint32_t value(std::uint32_t bound, StepIndex) override {
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t v = 0; v < bound; ++v) candidates.push_back(v);
    return take(std::move(candidates));
  }

  std::vector<std::vector<std::uint32_t>> seen;  // candidates, choice by choice
  std::vector<std::uint32_t> taken;

 private:
  std::uint32_t take(std::vector<std::uint32_t> candidates) {
    std::size_t at = taken.size();
    taken.push_back(at < picks_.size() ? picks_[at] : candidates.front());
    seen.push_back(std::move(candidates));
    return taken.back();
  }

  const std::vector<std::uint32_t>& picks_;
};

struct BruteForce {
  const toy::Program& program;
  const toy::Conditions& conditions;
  std::size_t runs_max;
  std::multiset<std::string> stories;

  // All runs that begin with these picks. False when there are too many.
  bool explore(const std::vector<std::uint32_t>& picks) {
    if (stories.size() == runs_max) return false;
    Explorer explorer(picks);
    stories.insert(story(program, toy::run(program, explorer, conditions)));
    for (std::size_t at = picks.size(); at < explorer.seen.size(); ++at)
      for (std::size_t other = 1; other < explorer.seen[at].size(); ++other) {
        std::vector<std::uint32_t> branch(explorer.taken.begin(), explorer.taken.begin() + at);
        branch.push_back(explorer.seen[at][other]);
        if (!explore(branch)) return false;
      }
    return true;
  }
};

std::string random_thread(Rng& rng, const char* name) {
  constexpr const char* kBlocks[] = {"step",
                                     "w x 2",
                                     "r x",
                                     "inc x",
                                     "store y 1",
                                     "load y",
                                     "lock m; unlock m",
                                     "lock m; inc x; unlock m",
                                     "lock n; lock m; unlock m; unlock n",
                                     "lock m; lock n; unlock n; unlock m",
                                     "choose 2",
                                     "choose 3",
                                     "yield",
                                     "trylock t",
                                     "semwait s",
                                     "post s",
                                     "cas x 2 5",
                                     "rdlock l; rwunlock l",
                                     "wrlock l; rwunlock l",
                                     "assert x 0",
                                     "lock m; wait c m; unlock m",
                                     "signal c",
                                     "broadcast c"};
  std::string text = std::string(name) + ": ";
  unsigned blocks = 1 + rng.below(3);
  for (unsigned i = 0; i < blocks; ++i)
    text += (i == 0 ? "" : "; ") + std::string(kBlocks[rng.below(std::size(kBlocks))]);
  return text;
}

std::string random_program(std::uint64_t seed) {
  Rng rng(seed);
  std::string text = random_thread(rng, "A") + " | " + random_thread(rng, "B");
  if (rng.below(3) == 0) text += " | C: " + std::string(rng.below(2) == 0 ? "inc x" : "signal c");
  bool semaphore = text.find(" s;") != text.npos || text.find(" s ") != text.npos;
  if (semaphore || text.ends_with(" s")) text = "init: s 1 | " + text;
  return text;
}

TEST(Dfs, VisitsWhatARecursiveBruteForceVisitsAndEachOnce) {
  constexpr std::size_t kRunsMax = 3000;
  FairnessFilter fairness;
  unsigned compared = 0;
  std::size_t largest = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::string text = random_program(seed);
    toy::Program program = toy::program(text);
    toy::Conditions conditions{plan_for("dfs"), {}, {&fairness}};
    BruteForce brute{program, conditions, kRunsMax, {}};
    if (!brute.explore({})) continue;
    Enumeration all = enumerate(text, kRunsMax + 1, {&fairness});
    EXPECT_TRUE(all.exhausted) << text;
    EXPECT_FALSE(all.wide);
    std::multiset<std::string> visited(all.stories.begin(), all.stories.end());
    EXPECT_EQ(visited, brute.stories) << text;
    EXPECT_EQ(std::set<std::string>(visited.begin(), visited.end()).size(), visited.size()) << text;
    ++compared;
    largest = std::max(largest, visited.size());
  }
  EXPECT_GT(compared, 250u);
  EXPECT_GT(largest, 1000u) << "the programs are too small to tell anything";
}

// -- paths that cannot be followed, and choices that cannot be counted
// -----------------------------

class DfsDivergence : public ::testing::Test {
 protected:
  toy::Outcome follow(const std::vector<ChoiceRecord>& ranks) {
    return runner_.run({plan_for("dfs"), facts::Ranks{ranks}, {}});
  }
  const DfsPolicy& policy() { return *runner_.storage().dfs; }
  void expect_divergence(const std::vector<ChoiceRecord>& ranks, const char* reason) {
    toy::Outcome run = follow(ranks);
    EXPECT_EQ(run.end, toy::End::stopped);
    ASSERT_NE(policy().reason(), nullptr);
    EXPECT_THAT(policy().reason(), ::testing::HasSubstr(reason));
    EXPECT_EQ(policy().diverged_at(), ranks.size() - 1);
    auto made = static_cast<std::uint32_t>(run.choices.size());
    EXPECT_FALSE(dfs_followed({nullptr, static_cast<std::uint32_t>(ranks.size()), false}, made));
  }

  toy::Runner runner_{"A: step; choose 3; step | B: step; step"};
};

TEST_F(DfsDivergence, APathThatFitsIsFollowed) {
  toy::Outcome run = follow({{0, 1, OpKind::none, 2}, {1, 1, OpKind::none, 2}});
  EXPECT_EQ(toy::trace(runner_.program_of(), run),
            "B: step; A: step; A: choose 3; A: step; B: step");
  EXPECT_EQ(policy().reason(), nullptr);
  EXPECT_EQ(runner_.storage().prefix, nullptr) << "nobody else reads the ranks";
}

TEST_F(DfsDivergence, ARankBeyondTheCandidates) {
  expect_divergence({{0, 2, OpKind::none, 0}}, "another number of candidates");
  expect_divergence({{0, 1, OpKind::none, 3}}, "another number of candidates");
  expect_divergence({{0, 0, OpKind::none, 2}, {1, 0, OpKind::none, 2}, {2, 3, OpKind::value, 0}},
                    "another number of candidates");
}

TEST_F(DfsDivergence, AChoiceAtAnotherStep) {
  expect_divergence({{0, 0, OpKind::none, 2}, {2, 1, OpKind::none, 2}}, "at another step");
}

TEST_F(DfsDivergence, AValueForAThreadAndTheOtherWayRound) {
  expect_divergence({{0, 1, OpKind::value, 2}}, "had to choose a value before");
  expect_divergence({{0, 0, OpKind::none, 2}, {1, 0, OpKind::none, 2}, {2, 1, OpKind::none, 3}},
                    "had to choose a thread before");
}

TEST_F(DfsDivergence, ARunWithFewerChoicesThanThePath) {
  toy::Runner lonely("A: step; step");
  toy::Outcome run = lonely.run({plan_for("dfs"), facts::Ranks{{{0, 1, OpKind::none, 2}}}, {}});
  EXPECT_EQ(run.end, toy::End::complete);
  EXPECT_FALSE(dfs_followed({nullptr, 1, false}, static_cast<std::uint32_t>(run.choices.size())));
}

TEST(DfsStep, LeavingAPathSkipsWhatLiesBelow) {
  ChoiceRecord ranks[] = {
      {0, 0, OpKind::none, 2}, {1, 1, OpKind::none, 3}, {2, 1, OpKind::none, 2}};
  DfsPath path{ranks, 3, false};
  EXPECT_EQ(dfs_leave(path), DfsStep::next);
  EXPECT_EQ(path.count, 2u);
  EXPECT_EQ(ranks[1].picked, 2);
  EXPECT_EQ(dfs_leave(path), DfsStep::next);
  EXPECT_EQ(path.count, 1u);
  EXPECT_EQ(ranks[0].picked, 1);
  EXPECT_EQ(dfs_leave(path), DfsStep::exhausted);
  EXPECT_EQ(path.count, 0u);
}

TEST(DfsStep, ARunWithoutChoicesIsTheOnlyOne) {
  DfsPath path;
  EXPECT_EQ(dfs_next(path, nullptr, 0), DfsStep::exhausted);
}

// Records hold "255 or more": the search follows what it can and says that it may not be all.
TEST(DfsStep, WideChoicesAreNotCalledExhausted) {
  Enumeration narrow = enumerate("A: choose 254");
  EXPECT_EQ(narrow.stories.size(), 254u);
  EXPECT_TRUE(narrow.exhausted);
  EXPECT_FALSE(narrow.wide);
  Enumeration wide = enumerate("A: choose 300; choose 2");
  EXPECT_EQ(wide.stories.size(), 2 * 255u);
  EXPECT_TRUE(wide.exhausted);
  EXPECT_TRUE(wide.wide);
}

TEST(DfsPolicy, GoesOnWithANewPlanFromTheChoicesMade) {
  auto value = [](std::uint16_t rank) {
    return ChoiceRecord{wire::kAnyStep, rank, OpKind::value, 3};
  };
  const facts::Steering before = facts::Ranks{{value(2)}};
  const facts::Steering after = facts::Ranks{{value(2), value(0), value(1)}};
  wire::Plan plan = plan_for("dfs");
  DfsPolicy policy;
  policy.begin({plan, view_of(before)});
  EXPECT_EQ(policy.value(3, 0), 2u);
  EXPECT_EQ(policy.value(3, 1), 0u);
  policy.resume({plan, view_of(after)}, 2);
  EXPECT_EQ(policy.value(3, 2), 1u);
  EXPECT_EQ(policy.value(3, 3), 0u);
  // Fewer ranks: the choices made lie behind them.
  policy.resume({plan, view_of(before)}, 4);
  EXPECT_EQ(policy.value(3, 4), 0u);
}

}  // namespace
}  // namespace raddle::policy
