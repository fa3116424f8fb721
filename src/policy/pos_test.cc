// SPDX-License-Identifier: Apache-2.0
//
// POS against probabilities derived by hand: scores are independent and uniform on [0, 1), so the
// chance of an order is an integral over them. Margins are four standard deviations.
#include "policy/pos.h"

#include <gtest/gtest.h>

#include "testing/statistics.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::margin;
using toy::plan_for;

constexpr unsigned kTrials = 40000;

double share_of_last(toy::Runner& runner, const char* policy, unsigned body) {
  return toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(plan_for(policy, seed)).steps.back().body == body;
  });
}

// Two racing operations, one of them behind n = 6 private steps of its thread. The private steps do
// not race with A's write, so its score stays: the write is last if it is the smallest of 8
// independent scores, 1/8. A random walk must pass A over seven times: 1/128.
TEST(Pos, OrderOfARaceDoesNotVanishBehindPrivateSteps) {
  toy::Runner runner("A: w x 1 | B: step; step; step; step; step; step; r x");
  EXPECT_NEAR(share_of_last(runner, "pos", 0), 1 / 8.0, margin(1 / 8.0, kTrials));
  EXPECT_NEAR(share_of_last(runner, "random", 0), 1 / 128.0, margin(1 / 128.0, kTrials));
}

// All four writes race: A's draws anew after each of B's, so each order is decided by two fresh
// scores: (1/2)^3. Had it kept its score it would be the smallest of four: 1/4.
TEST(Pos, RacingOperationsDrawAnew) {
  toy::Runner runner("A: w x 1 | B: w x 2; w x 3; w x 4");
  EXPECT_NEAR(share_of_last(runner, "pos", 0), 1 / 8.0, margin(1 / 8.0, kTrials));
}

// Two reads of one location do not race, so the score stays: 1/4.
TEST(Pos, ReadsDoNotRace) {
  toy::Runner runner("A: r x | B: r x; r x; r x");
  EXPECT_NEAR(share_of_last(runner, "pos", 0), 1 / 4.0, margin(1 / 4.0, kTrials));
}

// C is last. Let s be its score. One of the locks comes first: s < max(l1, l2), 1 - s^2. Then the
// unlock, s < u1; then the other lock, which raced with lock and unlock while it was waiting and
// has a fresh score, s < l'; then s < u2. The integral of (1 - s^2)(1 - s)^3 is 2/5 - 1/6 = 7/30.
// With the old score of the waiting lock it would be that of (1 - s)^4, 1/5.
TEST(Pos, WaitingOperationsDrawAnewToo) {
  toy::Runner runner("A: lock m; unlock m | B: lock m; unlock m | C: step");
  EXPECT_NEAR(share_of_last(runner, "pos", 2), 7 / 30.0, margin(7 / 30.0, kTrials));
}

// No update is lost if one thread does both its steps first. For A that means r1 > r2 and then
// w1 > r2 (reads do not race, r2 keeps its score): r2 is the smallest of three, 1/3. The same for
// B: 2/3. The random walk has 2 * 1/4 = 1/2.
TEST(Pos, LostUpdate) {
  toy::Runner runner("A: r x; w x $+1 | B: r x; w x $+1");
  auto kept = [&](const char* policy) {
    return toy::share(kTrials, [&](std::uint64_t seed) {
      return runner.run(plan_for(policy, seed)).variables["x"] == 2;
    });
  };
  EXPECT_NEAR(kept("pos"), 2 / 3.0, margin(2 / 3.0, kTrials));
  EXPECT_NEAR(kept("random"), 1 / 2.0, margin(1 / 2.0, kTrials));
}

TEST(Pos, ValuesAreUniform) {
  toy::Runner runner("A: choose 4; w x $ | B: step");
  double found = toy::share(kTrials, [&](std::uint64_t seed) {
    return runner.run(plan_for("pos", seed)).variables["x"] == 2;
  });
  EXPECT_NEAR(found, 0.25, margin(0.25, kTrials));
}

}  // namespace
}  // namespace raddle::policy
