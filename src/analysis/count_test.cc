// SPDX-License-Identifier: Apache-2.0
//
// Counts against sums made otherwise, and where machine words end. Engine side.
#include "analysis/count.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raddle::analysis {
namespace {

TEST(Count, BinomialsAreThoseOfPascal) {
  for (std::uint64_t n = 1; n <= 120; ++n)
    for (std::uint64_t k = 1; k < n; ++k)
      EXPECT_EQ(Count::binomial(n, k), Count::binomial(n - 1, k - 1) + Count::binomial(n - 1, k))
          << n << " " << k;
  EXPECT_EQ(Count::binomial(7, 0), Count(1));
  EXPECT_EQ(Count::binomial(7, 7), Count(1));
  EXPECT_EQ(Count::binomial(3, 4), Count(0));
}

TEST(Count, IsExactBeyondAMachineWord) {
  EXPECT_EQ(Count::binomial(72, 36).text(), "442512540276836779204");  // beyond 2^64
  EXPECT_TRUE(Count::binomial(130, 65).exact());
  Count largest = Count(UINT64_MAX) * Count(UINT64_MAX);
  EXPECT_EQ(largest.text(), "340282366920938463426481119284349108225");
  EXPECT_TRUE(largest.exact());
}

TEST(Count, IsALogarithmBeyondThatAndNeverWrapsAround) {
  Count count = 1;
  for (int i = 0; i < 10; ++i) count *= Count(1ull << 50);
  EXPECT_FALSE(count.exact());
  EXPECT_EQ(count.text(), "about 2^500.0");
  Count sum = count + count;
  EXPECT_EQ(sum.text(), "about 2^501.0");
  EXPECT_EQ((sum + Count(1)).text(), "about 2^501.0");
  EXPECT_EQ(sum * Count(0), Count(0));
  // C(2n, n) is about 4^n / sqrt(pi n).
  double expected = 2000 - std::log2(3.14159265358979 * 1000) / 2;
  EXPECT_NEAR(Count::binomial(2000, 1000).log2(), expected, 0.01);
  Count most = 1;
  for (int i = 0; i < 128; ++i) most += most;
  EXPECT_EQ(most.text(), "about 2^128.0");
}

TEST(Count, IsOrderedAcrossTheLimit) {
  Count small = 5, wide = Count(UINT64_MAX) * Count(7), beyond = wide * wide;
  EXPECT_LT(small, wide);
  EXPECT_LT(wide, beyond);
  EXPECT_LT(beyond, beyond * small);
  EXPECT_FALSE(beyond < wide);
}

}  // namespace
}  // namespace raddle::analysis
