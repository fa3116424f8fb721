// SPDX-License-Identifier: Apache-2.0
//
// What later plans carry of what earlier runs showed.
#include "search/learned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "search/sampling.h"
#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;

TEST(Learned, LearnsLengthThreadsAndSites) {
  Sampling search("pct", toy_options());
  auto plans = drive(search, 3, [](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0, 20);
    run.thread_count = 3;
    // Two accesses that were no points in the learning run; one of them is a point later.
    std::uint8_t flags = number == 0 ? 0 : wire::kEventStep;
    run.events = {toy_access(wire::OpKind::plain_read, 7),
                  toy_access(wire::OpKind::plain_write, 8, flags)};
    return run;
  });
  EXPECT_EQ(plans[0].header.expected_steps, 0u);
  EXPECT_EQ(plans[0].sites, nullptr);
  EXPECT_EQ(plans[1].header.expected_steps, 22u) << "20 steps and two points to be";
  EXPECT_EQ(plans[1].header.expected_threads, 3u);
  EXPECT_THAT(*plans[1].sites, ElementsAre(7u, 8u));
  EXPECT_EQ(plans[2].sites, plans[1].sites);
}

TEST(Learned, SitesThatAreKnownBeforehandArePoints) {
  Learned learned(toy_options());
  learned.know({9, 7, 9});
  EXPECT_THAT(*learned.plan("dfs", 1, 0).sites, ElementsAre(7u, 9u));
  EXPECT_FALSE(learned.sites_grew());
  PlanOptions sync = toy_options();
  sync.points = wire::Points::sync;
  Learned none(sync);
  none.know({7});
  EXPECT_EQ(none.plan("dfs", 1, 0).sites, nullptr);
}

TEST(Learned, CarriesNoSitesUnlessPointsAreShared) {
  PlanOptions sync = toy_options();
  sync.points = wire::Points::sync;
  Sampling search("random", sync);
  auto plans = drive(search, 2, [](const facts::Plan&, std::uint64_t) {
    ToyRun run = toy_exit(0);
    run.events = {toy_access(wire::OpKind::plain_read, 7)};
    return run;
  });
  EXPECT_EQ(plans[1].sites, nullptr);
  EXPECT_EQ(plans[1].header.expected_steps, 10u);
}

TEST(Learned, SeedsDependOnCampaignSeedAndIndexOnly) {
  Sampling one("random", toy_options());
  Sampling two("random", toy_options());
  PlanOptions other_options = toy_options();
  other_options.seed = 43;
  Sampling other("random", other_options);
  auto a = drive(one, 50, quiet_toy);
  auto b = drive(two, 50, quiet_toy);
  auto c = drive(other, 50, quiet_toy);
  std::set<std::uint64_t> seeds;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(a[i].header.seed, b[i].header.seed);
    seeds.insert(a[i].header.seed);
    seeds.insert(c[i].header.seed);
  }
  EXPECT_EQ(seeds.size(), 100u);
}

}  // namespace
}  // namespace raddle::search
