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
  EXPECT_TRUE(set.add_from(events));
  EXPECT_THAT(*set.sites(), ElementsAre(3u, 9u));
  auto before = set.sites();
  EXPECT_FALSE(set.add_from(events));
  EXPECT_EQ(set.sites(), before) << "an unchanged set must keep its identity";
  events.push_back(toy_access(wire::OpKind::plain_read, 4));
  EXPECT_TRUE(set.add_from(events));
  EXPECT_THAT(*set.sites(), ElementsAre(3u, 4u, 9u));
  EXPECT_THAT(*before, ElementsAre(3u, 9u)) << "older plans keep their sites";
}

}  // namespace
}  // namespace raddle::search
