// SPDX-License-Identifier: Apache-2.0
//
// Rng: the published sequence, and uniformity. Tests only.
#include "base/rng.h"

#include <gtest/gtest.h>

#include <array>

#include "testing/statistics.h"

namespace raddle {
namespace {

// The published sequence of SplitMix64 for this seed: recorded schedules depend on it.
TEST(Rng, IsSplitMix64) {
  Rng rng(1234567);
  EXPECT_EQ(rng.next(), 6457827717110365317ull);
  EXPECT_EQ(rng.next(), 3203168211198807973ull);
  EXPECT_EQ(rng.next(), 9817491932198370423ull);
  EXPECT_EQ(rng.next(), 4593380528125082431ull);
  EXPECT_EQ(rng.next(), 16408922859458223821ull);
}

TEST(Rng, StaysBelowItsBound) {
  Rng rng(1);
  for (std::uint32_t bound : {1u, 2u, 3u, 1000u, 0x80000001u, 0xffffffffu})
    for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.below(bound), bound);
}

// 6 degrees of freedom: 22.5 is exceeded with probability 0.001.
TEST(Rng, IsUniformBelowABoundThatIsNoPowerOfTwo) {
  Rng rng(5);
  std::array<unsigned, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
  EXPECT_LT(toy::chi_square(counts, 10000), 22.5);
}

// Campaigns count seeds up from a first one: the first draws of neighbouring seeds must look
// independent. 4 cells of (parity of one, parity of the next), 3 degrees of freedom: 16.3.
TEST(Rng, NeighbouringSeedsAreUnrelated) {
  std::array<unsigned, 4> counts{};
  for (std::uint64_t seed = 0; seed < 40000; ++seed)
    ++counts[2 * Rng(seed).below(2) + Rng(seed + 1).below(2)];
  EXPECT_LT(toy::chi_square(counts, 10000), 16.3);
}

}  // namespace
}  // namespace raddle
