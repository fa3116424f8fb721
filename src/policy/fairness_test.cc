// SPDX-License-Identifier: Apache-2.0
//
// FairnessFilter: cases derived by hand, the rule against its linear form, and loops that end
// only because of it. Tests only.
#include "policy/fairness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using model::ThreadView;
using toy::End;
using toy::plan_for;

ThreadView ran(StepIndex last_run, StepIndex enabled_since = 0) {
  ThreadView view;
  view.last_run = last_run;
  view.enabled_since = enabled_since;
  return view;
}
ThreadView yielded(StepIndex at) {
  ThreadView view = ran(at);
  view.yielding = true;
  view.yielded_at = at;
  return view;
}

// Which of the threads, all of them enabled, the filter leaves.
std::vector<ThreadId> left_of(const std::vector<ThreadView>& threads) {
  ThreadSet enabled;
  for (ThreadId t = 0; t < threads.size(); ++t) enabled.add(t);
  ThreadSet allowed = enabled;
  auto count = static_cast<ThreadId>(threads.size());
  FairnessFilter().narrow({enabled, threads.data(), count, 0, 100}, allowed);
  std::vector<ThreadId> left;
  allowed.for_each([&](ThreadId t) { left.push_back(t); });
  return left;
}

using Left = std::vector<ThreadId>;

TEST(Fairness, LeavesThreadsAloneThatDoNotYield) {
  EXPECT_EQ(left_of({ran(1), ran(50), ran(7, 90)}), (Left{0, 1, 2}));
}

TEST(Fairness, AYieldingThreadWaitsForThoseThatWereEnabledAndHaveNotRunSince) {
  EXPECT_EQ(left_of({yielded(10), ran(9)}), (Left{1}));
  EXPECT_EQ(left_of({yielded(10), ran(11)}), (Left{0, 1}));
  EXPECT_EQ(left_of({yielded(10), ran(11), ran(3)}), (Left{1, 2}));
}

TEST(Fairness, AThreadThatBecameEnabledAfterTheYieldIsNotWaitedFor) {
  EXPECT_EQ(left_of({yielded(10), ran(3, 12)}), (Left{0, 1}));
  EXPECT_EQ(left_of({yielded(10), ran(3, 9)}), (Left{1}));
}

TEST(Fairness, OfTwoYieldingThreadsTheEarlierMayRun) {
  EXPECT_EQ(left_of({yielded(10), yielded(11)}), (Left{0}));
  EXPECT_EQ(left_of({yielded(12), yielded(11)}), (Left{1}));
  EXPECT_EQ(left_of({yielded(12), yielded(11), ran(5)}), (Left{2}));
  // 2 has run since both yields, so only the yielding ones count for each other.
  EXPECT_EQ(left_of({yielded(12), yielded(11), ran(13)}), (Left{1, 2}));
}

TEST(Fairness, AThreadAloneMayRun) { EXPECT_EQ(left_of({yielded(10)}), (Left{0})); }

TEST(Fairness, OnlyThreadsThatEarlierFiltersLeftAreWaitedFor) {
  std::vector<ThreadView> threads = {yielded(10), ran(2), ran(12)};
  ThreadSet enabled;
  for (ThreadId t : {0, 1, 2}) enabled.add(t);
  ThreadSet allowed = enabled;
  allowed.remove(1);
  FairnessFilter().narrow({enabled, threads.data(), 3, 0, 100}, allowed);
  EXPECT_TRUE(allowed.contains(0));
  EXPECT_FALSE(allowed.contains(1));
}

// Random stamps that keep the invariant of ThreadView: the rule as the header words it (pair by
// pair) and the filter agree, and someone always remains.
TEST(Fairness, AgreesWithTheRuleAndNeverLeavesNobody) {
  Rng rng(2024);
  for (int round = 0; round < 20000; ++round) {
    std::vector<ThreadView> threads(1 + rng.below(7));
    for (ThreadView& t : threads) {
      t = ran(rng.below(12), rng.below(12));
      t.yielding = rng.below(2) == 0;
      t.yielded_at = t.last_run - (t.last_run > 0 ? rng.below(2) : 0);
    }
    Left expected;
    for (ThreadId t = 0; t < threads.size(); ++t) {
      bool held = false;
      for (ThreadId u = 0; u < threads.size(); ++u)
        held |= u != t && threads[t].yielding &&
                std::max(threads[u].last_run, threads[u].enabled_since) < threads[t].yielded_at;
      if (!held) expected.push_back(t);
    }
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(left_of(threads), expected);
  }
}

// A yield stamped later than the thread's last step is a bug of the controller, and is named.
TEST(FairnessDeathTest, ChecksTheInvariantOfTheStamps) {
  std::vector<ThreadView> threads = {yielded(10), yielded(10)};
  threads[0].last_run = threads[1].last_run = 5;
  EXPECT_EXIT(left_of(threads), ::testing::ExitedWithCode(70), "allowed.empty");
}

// Whichever thread has the highest priority, a loop that waits for another thread ends; without the
// filter it does not as soon as the waiting thread is the higher one.
TEST(Fairness, SpinLoopsEndUnderStrictPriorities) {
  toy::Runner runner("A: spin f 1; store g 1 | B: step; step; store f 1; spin g 1 | C: step; step");
  FairnessFilter fairness;
  unsigned cuts = 0;
  unsigned endless = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    wire::Plan plan = plan_for("pct", seed, 3, 12);
    plan.max_steps = 200;
    toy::Outcome run = runner.run({plan, {}, {&fairness}});
    EXPECT_EQ(run.end, End::complete) << seed;
    cuts += run.cuts;
    endless += runner.run(plan).end == End::limit;
  }
  EXPECT_GT(cuts, 0u);
  EXPECT_GT(endless, 0u);
}

// The same for every other way of choosing that can starve a thread.
TEST(Fairness, SpinLoopsEndWithoutPreemption) {
  toy::Runner runner("A: spin f 1 | B: step; store f 1");
  FairnessFilter fairness;
  wire::Plan plan = plan_for("nonpreemptive");
  plan.max_steps = 100;
  EXPECT_EQ(runner.run(plan).end, End::limit);
  EXPECT_EQ(runner.run({plan, {}, {&fairness}}).end, End::complete);
}

// Two threads that only wait for each other never end, but neither starves the third.
TEST(Fairness, YieldingThreadsDoNotStarveAWorker) {
  toy::Runner runner("A: spin f 1 | B: spin f 1 | C: w x; w x; w x; w x 9; store f 1");
  FairnessFilter fairness;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    wire::Plan plan = plan_for("pct", seed, 1, 1);
    plan.max_steps = 100;
    toy::Outcome run = runner.run({plan, {}, {&fairness}});
    EXPECT_EQ(run.end, End::complete);
    // C makes a step in every round of at most one turn of A and one of B.
    EXPECT_LE(run.steps.size(), 5u * 3 + 2 + 2);
  }
}

}  // namespace
}  // namespace raddle::policy
