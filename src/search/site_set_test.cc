// SPDX-License-Identifier: Apache-2.0
//
// Which events name shared sites, and that a set keeps its identity until it grows.
#include "search/site_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;

TEST(SiteSet, CollectsSitesOfPlainAccessesOnly) {
  SiteSet set;
  EXPECT_EQ(set.sites(), nullptr);
  std::vector<wire::Event> events = {
      toy_access(wire::OpKind::plain_write, 9), toy_access(wire::OpKind::atomic_load, 5),
      toy_access(wire::OpKind::plain_read, 3), toy_access(wire::OpKind::plain_read, 0),
      toy_access(wire::OpKind::plain_read, 6)};
  events.back().flags = 0;  // seen, but ordered after everything it touches
  auto add = [&] {
    facts::Run run;
    run.events = events;
    return set.add_from(run);
  };
  EXPECT_TRUE(add());
  EXPECT_THAT(*set.sites(), ElementsAre(3u, 9u));
  auto before = set.sites();
  EXPECT_FALSE(add());
  EXPECT_EQ(set.sites(), before) << "an unchanged set must keep its identity";
  events.push_back(toy_access(wire::OpKind::plain_read, 4));
  EXPECT_TRUE(add());
  EXPECT_THAT(*set.sites(), ElementsAre(3u, 4u, 9u));
  EXPECT_THAT(*before, ElementsAre(3u, 9u)) << "older plans keep their sites";
}

TEST(SiteSet, TakesWhatTheEndOfARunNames) {
  SiteSet set;
  facts::Run run;
  run.late_sites = {7, 0};
  EXPECT_TRUE(set.add_from(run));
  EXPECT_THAT(*set.sites(), ElementsAre(7u));
  run.late_sites = {7, 2};
  EXPECT_TRUE(set.add_from(run));
  EXPECT_FALSE(set.add_from(run));
  EXPECT_THAT(*set.sites(), ElementsAre(2u, 7u));
}

}  // namespace
}  // namespace raddle::search
