// SPDX-License-Identifier: Apache-2.0
//
// The uniform random walk against what it promises: with exact counts and nothing that blocks,
// every interleaving is equally likely. Interleavings are counted by hand, frequencies held against
// the quantile of chi-square that a correct implementation exceeds with probability 0.001; seeds
// are fixed.
#include "policy/urw.h"

#include <gtest/gtest.h>

#include <map>

#include "testing/statistics.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::plan_for;

constexpr unsigned kTrials = 30000;
using Weights = std::vector<wire::ThreadWeight>;

// How often each trace came up.
std::vector<unsigned> traces(const char* text, const char* policy, const Weights& weights,
                             const facts::Steering& steering = {}) {
  toy::Runner runner(text);
  std::map<std::string, unsigned> counts;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    toy::Outcome run = runner.run({plan_for(policy, seed), steering, {}, weights});
    ++counts[toy::trace(runner.program_of(), run)];
  }
  std::vector<unsigned> result;
  for (const auto& [trace, count] : counts) result.push_back(count);
  return result;
}

// 5! / (2! 3!) = 10 interleavings; 9 degrees of freedom. The random walk is far from uniform: B
// before A is 1/8, A before B 1/4.
TEST(Urw, SamplesInterleavingsUniformly) {
  constexpr const char* text = "A: w x; w x | B: w y; w y; w y";
  Weights weights = {{2, kNoThread, 0}, {3, kNoThread, 0}};
  auto counts = traces(text, "urw", weights);
  ASSERT_EQ(counts.size(), 10u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 10.0), 27.9);
  EXPECT_GT(toy::chi_square(traces(text, "random", weights), kTrials / 10.0), 1000.0);
}

// 6! / (1! 2! 3!) = 60 interleavings of three threads; 59 degrees of freedom.
TEST(Urw, SamplesThreeThreadsUniformly) {
  auto counts = traces("A: w x | B: w x; w x | C: w x; w x; w x", "urw",
                       {{1, kNoThread, 0}, {2, kNoThread, 0}, {3, kNoThread, 0}});
  ASSERT_EQ(counts.size(), 60u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 60.0), 98.4);
}

// M creates A at its first step. M's write falls anywhere among A's two, 3 ways, and B's step
// anywhere among the other four, 5 ways: 15 interleavings, 14 degrees of freedom. Thread ids: M 0,
// B 1, A 2. If M's weight did not include A's, B would come first in a third of the runs.
TEST(Urw, CreatorsCarryTheWeightOfWhatTheyWillCreate) {
  auto counts = traces("M: spawn A; w x | A: w y; w y | B: w z", "urw",
                       {{4, kNoThread, 0}, {1, kNoThread, 0}, {2, 0, 0}});
  ASSERT_EQ(counts.size(), 15u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 15.0), 36.1);
}

// M is alone for four steps, which no choice was made about; then one of it is left against two of
// A's: 3 interleavings, 2 degrees of freedom. Had they not been counted, M would come first in 5 of
// 7 runs.
TEST(Urw, CountsStepsThatLeaveNoChoice) {
  auto counts = traces("M: step; step; step; spawn A; w x | A: w x; w x", "urw",
                       {{7, kNoThread, 0}, {2, 0, 0}});
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 3.0), 13.9);
}

// The prefix takes both choices of A; what is left of A and B is sampled uniformly: 1 and 3 steps,
// 4 interleavings, 3 degrees of freedom.
TEST(Urw, CountsStepsThatAPrefixTook) {
  auto counts =
      traces("A: w x; w x; w x | B: w y; w y; w y", "urw", {{3, kNoThread, 0}, {3, kNoThread, 0}},
             facts::Choices{{{0, 0, wire::OpKind::none, 0}, {1, 0, wire::OpKind::none, 0}}});
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 4.0), 16.3);
}

// Without counts every enabled thread has a weight of one, as long as it goes on: a random walk, in
// which the one step of B comes last in 1/8 of the runs.
TEST(Urw, WithoutCountsIsARandomWalk) {
  toy::Runner runner("A: w x; w x; w x | B: w y");
  for (const Weights& weights : {Weights{}, Weights{{0, kNoThread, 0}, {0, kNoThread, 0}}}) {
    double last = toy::share(kTrials, [&](std::uint64_t seed) {
      return runner.run({plan_for("urw", seed), {}, {}, weights}).steps.back().body == 1;
    });
    EXPECT_NEAR(last, 1 / 8.0, toy::margin(1 / 8.0, kTrials));
  }
}

}  // namespace
}  // namespace raddle::policy
