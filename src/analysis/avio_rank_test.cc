// SPDX-License-Identifier: Apache-2.0
//
// The order in which interleavings of a failing run are suspected. Engine side.
#include "analysis/avio_rank.h"

#include <gtest/gtest.h>

namespace raddle::analysis {
namespace {

Interleaving at(SiteId p, SiteId r, SiteId i, std::uint32_t last = 0) {
  Interleaving made;
  made.p = p;
  made.r = r;
  made.i = i;
  made.number = 2;
  made.last_i_index = last;
  made.count = 1;
  return made;
}

std::vector<SiteId> order(const std::vector<RankedInterleaving>& ranked) {
  std::vector<SiteId> sites;
  for (const RankedInterleaving& each : ranked) sites.push_back(each.what.p);
  return sites;
}

TEST(AvioRank, WhatNoPassingRunHasComesFirst) {
  std::vector<std::vector<Interleaving>> passing{{at(1, 1, 1), at(2, 1, 2), at(9, 9, 4)},
                                                 {at(1, 1, 1)}};
  std::vector<Interleaving> failing{at(1, 1, 1), at(2, 1, 2), at(3, 1, 3), at(4, 1, 4)};
  auto ranked = rank_interleavings(passing, failing, 100);
  EXPECT_EQ(order(ranked), (std::vector<SiteId>{3, 4, 2, 1}));
  EXPECT_TRUE(ranked[0].breaks_invariant());
  // New, but of an I at which passing runs have others.
  EXPECT_EQ(ranked[1].passing, 0u);
  EXPECT_FALSE(ranked[1].breaks_invariant());
  EXPECT_EQ(ranked[3].passing, 2u);
}

TEST(AvioRank, ThenWhatIsNearestToTheFailure) {
  std::vector<Interleaving> failing{at(1, 1, 1, 10), at(2, 1, 2, 90), at(3, 1, 3, 50),
                                    at(4, 1, 4, 50)};
  auto ranked = rank_interleavings({}, failing, 91);
  EXPECT_EQ(order(ranked), (std::vector<SiteId>{2, 3, 4, 1}));
  EXPECT_EQ(ranked[0].distance, 0u);
  EXPECT_EQ(ranked[3].distance, 80u);
}

TEST(AvioRank, InstancesOfOneRunAreOneRun) {
  std::vector<std::vector<Interleaving>> passing{{at(1, 1, 1), at(1, 1, 1), at(2, 2, 1)}};
  auto ranked = rank_interleavings(passing, std::vector<Interleaving>{at(1, 1, 1)}, 1);
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_EQ(ranked[0].passing, 1u);
  EXPECT_EQ(ranked[0].passing_i, 1u);
  EXPECT_TRUE(rank_interleavings(passing, {}, 1).empty());
}

}  // namespace
}  // namespace raddle::analysis
