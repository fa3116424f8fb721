// SPDX-License-Identifier: Apache-2.0
//
// RandomPolicy: uniformity, independence and determinism. Tests only.
#include "policy/random.h"

#include <gtest/gtest.h>

#include <array>

#include "testing/statistics.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::plan_for;

Choice choice_of(const ThreadSet& enabled) { return {enabled, nullptr, 600, 0, 0}; }

// 30,000 picks among 3 threads: 10,000 expected of each. With two degrees of freedom chi-square
// exceeds 13.8 with probability exp(-13.8 / 2) = 0.001.
TEST(Random, PicksEveryEnabledThreadEquallyOften) {
  ThreadSet enabled;
  for (ThreadId t : {3, 64, 577}) enabled.add(t);
  wire::Plan plan = plan_for("random", 42);
  RandomPolicy policy;
  policy.begin({plan, {}});
  std::array<unsigned, 3> counts{};
  for (int i = 0; i < 30000; ++i) {
    ThreadId t = policy.pick(choice_of(enabled));
    ASSERT_TRUE(enabled.contains(t));
    ++counts[t == 3 ? 0 : t == 64 ? 1 : 2];
  }
  EXPECT_LT(toy::chi_square(counts, 10000), 13.8);
}

// Independent of the pick before: the 9 pairs of successive picks, 8 degrees of freedom; 26.1 is
// exceeded with probability 0.001.
TEST(Random, SuccessivePicksAreIndependent) {
  ThreadSet enabled;
  for (ThreadId t : {0, 1, 2}) enabled.add(t);
  wire::Plan plan = plan_for("random", 7);
  RandomPolicy policy;
  policy.begin({plan, {}});
  std::array<unsigned, 9> counts{};
  for (int i = 0; i < 30000; ++i) {
    unsigned first = policy.pick(choice_of(enabled));
    ++counts[3 * first + policy.pick(choice_of(enabled))];
  }
  EXPECT_LT(toy::chi_square(counts, 30000 / 9.0), 26.1);
}

// The way of those who ask without a call.
TEST(Random, PairsArePickedAsAllOthers) {
  wire::Plan plan = plan_for("random", 11);
  RandomPolicy one, other;
  one.begin({plan, {}});
  other.begin({plan, {}});
  for (ThreadId low = 0; low < 63; ++low)
    for (ThreadId high = low + 1; high < 64; ++high) {
      ThreadSet enabled;
      enabled.add(low);
      enabled.add(high);
      ASSERT_EQ(one.pick_of_pair(enabled.first_word()), other.pick(choice_of(enabled)));
      ASSERT_EQ(one.value(7, 0), other.value(7, 0));
    }
}

// 9 degrees of freedom: 27.9 is exceeded with probability 0.001.
TEST(Random, ValuesAreUniformBelowTheirBound) {
  wire::Plan plan = plan_for("random", 3);
  RandomPolicy policy;
  policy.begin({plan, {}});
  std::array<unsigned, 10> counts{};
  for (int i = 0; i < 30000; ++i) {
    std::uint32_t value = policy.value(10, 0);
    ASSERT_LT(value, 10u);
    ++counts[value];
  }
  EXPECT_LT(toy::chi_square(counts, 3000), 27.9);
}

TEST(Random, TheSeedDeterminesTheRun) {
  toy::Runner runner("A: w x; w x; choose 9; w x | B: w x; w x; w x | C: r x; r x; r x");
  std::vector<wire::ChoiceRecord> first = runner.run(plan_for("random", 5)).choices;
  EXPECT_EQ(runner.run(plan_for("random", 5)).choices, first);
  EXPECT_NE(runner.run(plan_for("random", 6)).choices, first);
}

// A run in which one of two threads wins m choices in a row: 2^-m. Here B's read comes first only
// if B wins four times: 1/16.
TEST(Random, LongDelaysAreExponentiallyRare) {
  toy::Runner runner("A: w x 1 | B: step; step; step; assert x 1");
  double found = toy::share(20000, [&](std::uint64_t seed) {
    return runner.run(plan_for("random", seed)).end == toy::End::assertion;
  });
  EXPECT_NEAR(found, 1 / 16.0, toy::margin(1 / 16.0, 20000));
}

}  // namespace
}  // namespace raddle::policy
