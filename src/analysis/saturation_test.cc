// SPDX-License-Identifier: Apache-2.0
//
// Estimates against a population whose size is known. Engine side.
#include "analysis/saturation.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

TEST(Saturation, FollowsTheFormulas) {
  SaturationEstimate estimate = estimate_saturation({100, 40, 10, 4});
  EXPECT_DOUBLE_EQ(estimate.unseen, 0.99 * 10 * 9 / (2 * 5));
  EXPECT_DOUBLE_EQ(estimate.next_run, 0.1);
  EXPECT_EQ(estimate_saturation({}).unseen, 0);
  EXPECT_EQ(estimate_saturation({50, 7, 0, 3}).unseen, 0);
  EXPECT_EQ(estimate_saturation({50, 7, 1, 0}).unseen, 0);  // one alone proves nothing
}

// Runs that each show 5 of 200 properties, all as likely as the others.
TEST(Saturation, ComesNearTheTruth) {
  Rng rng(3);
  std::vector<unsigned> seen(200);
  SeenCounts counts;
  double expected = 0;
  for (counts.runs = 1; counts.runs <= 40; ++counts.runs) {
    std::uint64_t fresh = 0;
    for (int i = 0; i < 5; ++i)
      if (seen[rng.below(200)]++ == 0) ++fresh;
    if (counts.runs > 35) expected += static_cast<double>(fresh) / 5;
  }
  for (unsigned times : seen) {
    counts.covered += times > 0 ? 1 : 0;
    counts.once += times == 1 ? 1 : 0;
    counts.twice += times == 2 ? 1 : 0;
  }
  SaturationEstimate estimate = estimate_saturation(counts);
  EXPECT_NEAR(static_cast<double>(counts.covered) + estimate.unseen, 200, 30);
  EXPECT_NEAR(estimate.next_run, expected, 1.5);
}

TEST(Saturation, TheRuleAsksForRunsAndForAPart) {
  SaturationRule rule{100, 20};
  EXPECT_FALSE(saturated(rule, 99, 0));
  EXPECT_TRUE(saturated(rule, 100, 0));
  EXPECT_FALSE(saturated(rule, 150, 51));
  EXPECT_TRUE(saturated(rule, 150, 50));
  EXPECT_FALSE(saturated(rule, 1000, 801));  // a hundred and more, but no fifth
  EXPECT_TRUE(saturated(rule, 1000, 800));
  EXPECT_TRUE(saturated({100, 0}, 1000, 900));
}

}  // namespace
}  // namespace raddle::analysis
