// SPDX-License-Identifier: Apache-2.0
//
// The order of turns.
#include "search/portfolio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;

TEST(Portfolio, LearnsOnceThenRotatesWithRoundRobinAfterThreeTurns) {
  Portfolio search(toy_options());
  auto plans = drive(search, 14, quiet_toy);
  EXPECT_THAT(policies_of(plans),
              ElementsAre("nonpreemptive", "surw", "pct", "surw", "round-robin", "pos", "surw",
                          "pct", "surw", "pct", "surw", "pos", "surw", "pct"));
  EXPECT_EQ(plans[2].header.depth, 3u);
  EXPECT_EQ(plans[7].header.depth, 2u);
}

TEST(Portfolio, RepeatsRoundRobinWhenSitesAppear) {
  Portfolio search(toy_options());
  auto plans = drive(search, 18, [](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0);
    if (number >= 6) run.events = {toy_access(wire::OpKind::plain_read, 7)};
    return run;
  });
  auto names = policies_of(plans);
  EXPECT_EQ(names[4], "round-robin");
  EXPECT_EQ(names[11], "round-robin");
  EXPECT_EQ(std::count(names.begin(), names.end(), "round-robin"), 2);
}

}  // namespace
}  // namespace raddle::search
