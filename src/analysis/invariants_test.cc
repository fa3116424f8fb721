// SPDX-License-Identifier: Apache-2.0
//
// What a training makes of runs. Engine side.
#include "analysis/invariants.h"

#include <gtest/gtest.h>

namespace raddle::analysis {
namespace {

std::vector<Interleaving> at(std::vector<SiteId> sites) {
  std::vector<Interleaving> made;
  for (SiteId site : sites) {
    made.emplace_back();
    made.back().i = site;
    made.back().number = 2;
  }
  return made;
}

bool holds(const Training& training, SiteId site) {
  auto found = training.counts().find(site);
  return found != training.counts().end() && training.holds(found->second);
}

TEST(Training, WhatNoRunViolatesHolds) {
  Training training;
  training.add(std::vector<SiteId>{1, 2}, at({2}));
  EXPECT_TRUE(holds(training, 1));
  EXPECT_FALSE(holds(training, 2));
  EXPECT_FALSE(holds(training, 3));  // never executed
  EXPECT_EQ(training.invariants(), 1u);
  training.add(std::vector<SiteId>{1, 2}, {});
  EXPECT_FALSE(holds(training, 2));  // once is enough
  training.add(std::vector<SiteId>{1}, at({1}));
  EXPECT_EQ(training.invariants(), 0u);
  EXPECT_EQ(training.runs(), 3u);
}

TEST(Training, StabilityCountsRunsWithoutAChange) {
  Training training;
  training.add(std::vector<SiteId>{1}, {});
  EXPECT_EQ(training.unchanged(), 0u);
  training.add(std::vector<SiteId>{1}, {});
  training.add(std::vector<SiteId>{}, {});
  EXPECT_EQ(training.unchanged(), 2u);
  training.add(std::vector<SiteId>{1, 2}, at({2}));  // a candidate that never held
  EXPECT_EQ(training.unchanged(), 3u);
  training.add(std::vector<SiteId>{1}, at({1}));
  EXPECT_EQ(training.unchanged(), 0u);
}

TEST(Training, SomeViolationsAreTolerated) {
  Training training(2);
  for (int run = 0; run < 2; ++run) training.add(std::vector<SiteId>{1}, at({1}));
  EXPECT_TRUE(holds(training, 1));
  EXPECT_EQ(training.counts().at(1).violations, 2u);
  training.add(std::vector<SiteId>{1}, at({1}));
  EXPECT_FALSE(holds(training, 1));
}

}  // namespace
}  // namespace raddle::analysis
