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

TEST(Portfolio, LearnsTwiceThenRoundRobinThenRotates) {
  Portfolio search(toy_options());
  auto plans = drive(search, 15, quiet_toy);
  EXPECT_THAT(policies_of(plans),
              ElementsAre("nonpreemptive", "nonpreemptive", "round-robin", "random", "pct", "pos",
                          "random", "pct", "pos", "random", "pct", "pos", "random", "pct", "pos"));
  EXPECT_EQ(plans[4].header.depth, 2u);
  EXPECT_EQ(plans[7].header.depth, 3u);
}

TEST(Portfolio, RepeatsRoundRobinWhenSitesAppear) {
  Portfolio search(toy_options());
  auto plans = drive(search, 12, [](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0);
    if (number >= 4) run.events = {toy_access(wire::OpKind::plain_read, 7)};
    return run;
  });
  auto names = policies_of(plans);
  EXPECT_EQ(names[2], "round-robin");
  EXPECT_EQ(names[9], "round-robin");
  EXPECT_EQ(std::count(names.begin(), names.end(), "round-robin"), 2);
}

}  // namespace
}  // namespace raddle::search
