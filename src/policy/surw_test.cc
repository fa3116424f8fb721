// SPDX-License-Identifier: Apache-2.0
//
// The selectively uniform random walk: the order of the interesting events is uniform whatever lies
// between them. Orders are counted by hand; the bounds are the quantiles of chi-square that a
// correct implementation exceeds with probability 0.001; seeds are fixed.
#include "policy/surw.h"

#include <gtest/gtest.h>

#include <map>

#include "testing/statistics.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::plan_for;

constexpr unsigned kTrials = 30000;
using Weights = std::vector<wire::ThreadWeight>;

toy::Conditions conditions(const toy::Runner& runner, const char* policy, std::uint64_t seed,
                           const std::vector<const char*>& interesting, const Weights& weights) {
  toy::Conditions given{plan_for(policy, seed), {}, {}, weights};
  for (const char* name : interesting)
    given.interest.places[given.interest.place_count++] =
        toy::location_of(runner.program_of(), name);
  return given;
}

// The operations on the interesting objects (releases left out), in their order: "ABB", say.
std::string order_of(const toy::Runner& runner, const toy::Outcome& run,
                     const std::vector<const char*>& interesting) {
  std::string order;
  for (const toy::Step& step : run.steps) {
    const toy::Body& body = runner.program_of().bodies[step.body];
    for (const char* name : interesting)
      if (step.what.address != 0 && step.what.kind != wire::OpKind::mutex_unlock &&
          runner.program_of().objects[body.ops[step.op].object].name == name)
        order += body.name + name + " ";
  }
  return order;
}

std::vector<unsigned> orders(const char* text, const char* policy,
                             const std::vector<const char*>& interesting, const Weights& weights) {
  toy::Runner runner(text);
  std::map<std::string, unsigned> counts;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed)
    ++counts[order_of(runner, runner.run(conditions(runner, policy, seed, interesting, weights)),
                      interesting)];
  std::vector<unsigned> result;
  for (const auto& [order, count] : counts) result.push_back(count);
  return result;
}

// A's write is anywhere among B's three: 4 orders, 3 degrees of freedom, although A has eight steps
// before it and B but one between. The uniform walk over all events is far from that.
TEST(Surw, OrderOfInterestingEventsIsUniformWhateverLiesBetween) {
  constexpr const char* text =
      "A: step; step; step; step; step; step; step; step; w x | B: w x; step; w x; w x";
  auto counts = orders(text, "surw", {"x"}, {{1, kNoThread, 0}, {3, kNoThread, 0}});
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 4.0), 16.3);
  auto all = orders(text, "urw", {"x"}, {{9, kNoThread, 0}, {4, kNoThread, 0}});
  EXPECT_GT(toy::chi_square(all, kTrials / 4.0), 1000.0);
}

// Two variables: A and B make two interesting events each, 4! / (2! 2!) = 6 orders, 5 degrees of
// freedom; what C does to y is not interesting and holds nobody up.
TEST(Surw, SeveralVariablesAreSampledTogether) {
  auto counts = orders("A: w x; r y; w z | B: step; w z; w x; step | C: w y; w y", "surw",
                       {"x", "z"}, {{2, kNoThread, 0}, {2, kNoThread, 0}, {0, kNoThread, 0}});
  ASSERT_EQ(counts.size(), 6u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 6.0), 20.5);
}

// Of a lock the acquisitions are interesting: one of A and two of B, 3 orders, 2 degrees of
// freedom, although the holder runs on while the others are blocked.
TEST(Surw, AcquisitionsOfALock) {
  auto counts =
      orders("A: step; lock m; w x; unlock m | B: lock m; w x; unlock m; lock m; w x; unlock m",
             "surw", {"m"}, {{1, kNoThread, 0}, {2, kNoThread, 0}});
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 3.0), 13.9);
}

// M creates A; thread ids are M 0, B 1, A 2. M's write falls anywhere among A's two and B's
// anywhere among those three: 12 orders, 11 degrees of freedom. M's weight is its own and A's until
// it has created A; B stays intended if it was, M's turn is drawn between M and A.
TEST(Surw, CreatorsShareTheirTurnWithWhatTheyCreate) {
  auto counts = orders("M: step; spawn A; w x | A: w x; w x | B: w x", "surw", {"x"},
                       {{3, kNoThread, 0}, {1, kNoThread, 0}, {2, 0, 0}});
  ASSERT_EQ(counts.size(), 12u);
  EXPECT_LT(toy::chi_square(counts, kTrials / 12.0), 31.3);
}

// With no variable named it is the uniform walk over everything: 5! / (2! 3!) = 10 interleavings.
TEST(Surw, OfEverythingIsTheUniformWalk) {
  toy::Runner runner("A: w x; w x | B: w y; w y; w y");
  std::map<std::string, unsigned> counts;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    toy::Outcome run =
        runner.run(conditions(runner, "surw", seed, {}, {{2, kNoThread, 0}, {3, kNoThread, 0}}));
    ++counts[toy::trace(runner.program_of(), run)];
  }
  ASSERT_EQ(counts.size(), 10u);
  std::vector<unsigned> cells;
  for (const auto& [trace, count] : counts) cells.push_back(count);
  EXPECT_LT(toy::chi_square(cells, kTrials / 10.0), 27.9);
}

// Nobody was expected to touch x, so each thread that is about to has a weight of one: the one
// write of B comes last in 1/8 of the runs, and nobody waits for ever.
TEST(Surw, UnexpectedEventsAreNotHeldBackForEver) {
  toy::Runner runner("A: w x; w x; w x | B: w x");
  double last = toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(conditions(runner, "surw", seed, {"x"}, {})).steps.back().body == 1;
  });
  EXPECT_NEAR(last, 1 / 8.0, toy::margin(1 / 8.0, kTrials));
}

// Twice as many as there are, and all of them expected of the thread that has none.
TEST(Surw, WrongCountsKeepNobodyFromRunning) {
  toy::Runner runner("A: lock m; w x; unlock m; spin f 1 | B: w x; lock m; store f 1; unlock m");
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    for (const Weights& weights :
         {Weights{{9, kNoThread, 0}, {0, kNoThread, 0}}, Weights{{0, 1, 0}, {9, kNoThread, 0}}}) {
      toy::Conditions given = conditions(runner, "surw", seed, {"x", "f", "m"}, weights);
      toy::Outcome run = runner.run(given);
      // Without the fairness filter a spinning thread may spin on, but not once the other is done.
      EXPECT_EQ(run.end, toy::End::complete);
    }
}

}  // namespace
}  // namespace raddle::policy
