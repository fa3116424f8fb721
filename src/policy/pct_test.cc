// SPDX-License-Identifier: Apache-2.0
//
// PCT's bound 1 / (n k^(d-1)), measured on programs with known n, k and d. Where the probability
// can be derived exactly it is, and the frequency is held against it on both sides; the margin is
// four standard deviations.
#include "policy/pct.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/statistics.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::margin;
using toy::plan_for;

constexpr unsigned kTrials = 40000;

double bound(double threads, double steps, int depth) {
  return 1 / (threads * std::pow(steps, depth - 1));
}

// The share of seeds that give exactly this trace.
double share_of_trace(toy::Runner& runner, std::uint32_t depth, std::uint32_t steps,
                      std::string_view wanted) {
  return toy::share(kTrials, [&](std::uint64_t seed) {
    toy::Outcome run = runner.run(plan_for("pct", seed, depth, steps));
    return toy::trace(runner.program_of(), run) == wanted;
  });
}

double share_of_failures(toy::Runner& runner, std::uint32_t depth, std::uint32_t steps) {
  return toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(plan_for("pct", seed, depth, steps)).end == toy::End::assertion;
  });
}

// The assertion holds unless A's write comes after everything of the three others: A must have the
// lowest of n = 4 priorities. The bound for d = 1 is met exactly: 1/4.
TEST(Pct, DepthOneBugShowsInOneOfNRuns) {
  toy::Runner runner("A: w x | B: r x; inc n | C: r x; inc n | D: r x; inc n");
  double found = toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(plan_for("pct", seed, 1, 7)).steps.back().body == 0;
  });
  EXPECT_NEAR(found, bound(4, 7, 1), margin(bound(4, 7, 1), kTrials));
}

// With depth 1 nobody is preempted: n - 1 switches.
TEST(Pct, DepthOneNeverPreempts) {
  toy::Runner runner("A: w x; w x; w x | B: w x; w x; w x | C: w x; w x; w x");
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    EXPECT_EQ(runner.run(plan_for("pct", seed, 1, 9)).switches, 2u);
}

// All 3! orders of priorities are equally likely: 5 degrees of freedom, 20.5 has probability 0.001.
TEST(Pct, PrioritiesAreAUniformPermutation) {
  toy::Runner runner("A: step | B: step | C: step");
  std::vector<unsigned> counts(27);
  for (std::uint64_t seed = 1; seed <= 30000; ++seed) {
    toy::Outcome run = runner.run(plan_for("pct", seed, 1, 3));
    ++counts[run.steps[0].thread * 9 + run.steps[1].thread * 3 + run.steps[2].thread];
  }
  std::erase(counts, 0u);
  ASSERT_EQ(counts.size(), 6u);
  EXPECT_LT(toy::chi_square(counts, 5000), 20.5);
}

// n = 2, k = 10. B's write must fall between A's 4th and 5th step: A has the higher priority (1/2)
// and the one change point is after step 4 (1/10). The bound for d = 2 is met exactly.
TEST(Pct, DepthTwoBugShowsWithExactlyTheBound) {
  toy::Runner runner("A: step; step; step; w x 7; assert x 7; step; step; step; step | B: w x 1");
  double found = share_of_failures(runner, 2, 10);
  EXPECT_NEAR(found, bound(2, 10, 2), margin(bound(2, 10, 2), kTrials));
}

// The bound needs only an upper bound on k: with k = 20 given for the same program, 1/40.
TEST(Pct, OverestimatedStepsLowerTheChanceInProportion) {
  toy::Runner runner("A: step; step; step; w x 7; assert x 7; step; step; step; step | B: w x 1");
  double found = share_of_failures(runner, 2, 20);
  EXPECT_NEAR(found, bound(2, 20, 2), margin(bound(2, 20, 2), kTrials));
}

// Lost update, k = 4: whichever thread is higher, the change must come after its first step: 1/4,
// twice the bound, because two interleavings show the bug.
TEST(Pct, LostUpdateShowsInAQuarterOfTheRuns) {
  toy::Runner runner("A: r x; w x $+1 | B: r x; w x $+1");
  double found = toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(plan_for("pct", seed, 2, 4)).variables["x"] == 1;
  });
  EXPECT_NEAR(found, 0.25, margin(0.25, kTrials));
  EXPECT_GE(found, bound(2, 4, 2) - margin(bound(2, 4, 2), kTrials));
}

// n = 4 with two bystanders, k = 14: not derived exactly, at least the bound 1/56.
TEST(Pct, BystandersDoNotBreakTheDepthTwoBound) {
  toy::Runner runner(
      "A: step; step; w x 7; assert x 7; step | B: step; w x 1; step | "
      "C: r y; r y; r y | D: inc z; inc z; inc z");
  double found = share_of_failures(runner, 2, 14);
  EXPECT_GE(found, bound(4, 14, 2) - margin(bound(4, 14, 2), kTrials));
}

// n = 2, k = 4: A B A B. A is higher (1/2), falls after step 1, B falls after step 2 and must end
// up below A. So the change point of priority 2 is step 1 and that of priority 1 is step 2: 1/16.
// A policy that hands out the low priorities in the order of time would never show this one.
TEST(Pct, DepthThreeBugShowsWithExactlyTheBound) {
  toy::Runner runner("A: r x; r y | B: w x; w y");
  double found = share_of_trace(runner, 3, 4, "A: r x; B: w x; A: r y; B: w y");
  EXPECT_NEAR(found, bound(2, 4, 3), margin(bound(2, 4, 3), kTrials));
}

// n = 2, k = 10: A for two steps, B for three, A to its end: change points 2 and 5 in this order of
// priorities, 1/2 * 1/100 (200 of 40,000 expected, standard deviation 14).
TEST(Pct, DepthThreeBoundHoldsForLongerRuns) {
  toy::Runner runner("A: r a; r b; r c; r d; r e | B: w a; w b; w c; w d; w e");
  double found = share_of_trace(runner, 3, 10,
                                "A: r a; A: r b; B: w a; B: w b; B: w c; A: r c; A: r d; A: r e; "
                                "B: w d; B: w e");
  EXPECT_NEAR(found, bound(2, 10, 3), margin(bound(2, 10, 3), kTrials));
}

// Three threads, three switches away from a running thread, n = 3, d = 3, k = 6: at least 1/108.
TEST(Pct, DepthThreeBoundHoldsForThreeThreads) {
  toy::Runner runner("A: w x 1; assert x 1 | B: w y 1; w x 2 | C: w x 3; w y 2");
  double found = toy::share(kTrials, [&](std::uint64_t seed) {
    toy::Outcome run = runner.run(plan_for("pct", seed, 3, 6));
    return run.end == toy::End::assertion && run.variables["x"] == 2 && run.variables["y"] == 1;
  });
  EXPECT_GE(found, bound(3, 6, 3) - margin(bound(3, 6, 3), kTrials));
}

// The first four steps are M's alone, so pick() is called after them only. B then runs first if it
// is higher (1/2), or if M fell at one of those four of k = 6 steps: 1/2 + 1/2 * 4/6 = 5/6.
TEST(Pct, ChangePointsBeforeTheFirstChoiceCount) {
  toy::Runner runner("M: step; step; step; spawn B; r x | B: w x");
  double found = toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(plan_for("pct", seed, 2, 6)).steps[4].body == 1;
  });
  EXPECT_NEAR(found, 5 / 6.0, margin(5 / 6.0, kTrials));
}

// A's step 2 is followed by two steps of B alone, for A waits for m. The change point at step 2
// must lower A, who carried it out, although B is running when there is a choice again; only then
// does B go on past its unlock. B is higher (1/2), B falls to 2 after step 1, A to 1 after step 2:
// 1/98.
TEST(Pct, ChangePointLowersTheThreadThatCarriedOutTheStep) {
  toy::Runner runner("A: step; lock m; r x | B: lock m; step; unlock m; r y");
  double found = share_of_trace(
      runner, 3, 7, "B: lock m; A: step; B: step; B: unlock m; B: r y; A: lock m; A: r x");
  EXPECT_NEAR(found, bound(2, 7, 3), margin(bound(2, 7, 3), kTrials));
}

TEST(Pct, ValuesAreUniform) {
  toy::Runner runner("A: choose 4; w x $ | B: step");
  double found = toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(plan_for("pct", seed, 3, 3)).variables["x"] == 2;
  });
  EXPECT_NEAR(found, 0.25, margin(0.25, kTrials));
}

// Depth 0 and an unknown number of steps are taken as 1: still a run by priorities.
TEST(Pct, RunsWithoutParameters) {
  toy::Runner runner("A: r x; r x | B: r x; r x");
  EXPECT_EQ(runner.run(plan_for("pct", 1, 0, 0)).switches, 1u);
}

TEST(PctDeathTest, RefusesADepthBeyondItsTable) {
  wire::Plan plan = plan_for("pct", 1, kPctDepthMax + 1, 10);
  auto policy = std::make_unique<PctPolicy>();
  EXPECT_EXIT(policy->begin(PlanView{plan, {}}), ::testing::ExitedWithCode(70), "kPctDepthMax");
  plan.depth = kPctDepthMax;
  policy->begin({plan, {}});
}

}  // namespace
}  // namespace raddle::policy
