// SPDX-License-Identifier: Apache-2.0
//
// Pairs of events become races; halves do not. Engine side.
#include "analysis/races.h"

#include <gtest/gtest.h>

namespace raddle::analysis {
namespace {

using wire::OpKind;

Findings races_in(const std::vector<std::pair<OpKind, ThreadId>>& stream) {
  Races races;
  races.begin();
  for (auto [kind, thread] : stream) {
    wire::Event event{};
    event.kind = kind;
    event.thread = thread;
    races.on_event(event);
  }
  Findings found;
  races.finish({}, found);
  return found;
}

TEST(Races, APairIsARace) {
  Findings found = races_in({{OpKind::plain_read, 1},
                             {OpKind::race, 2},
                             {OpKind::race_with, 1},
                             {OpKind::race, 2},
                             {OpKind::race_with, 3}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].thread, 2);
  EXPECT_EQ(found[0].first_index, 1u);
  EXPECT_EQ(found[0].events[1].thread, 1);
  EXPECT_EQ(found[1].events[1].thread, 3);
}

TEST(Races, HalvesAreNone) {
  EXPECT_TRUE(races_in({{OpKind::race, 1}}).empty());
  EXPECT_TRUE(races_in({{OpKind::race_with, 1}}).empty());
  EXPECT_TRUE(
      races_in({{OpKind::race, 1}, {OpKind::plain_read, 1}, {OpKind::race_with, 1}}).empty());
}

}  // namespace
}  // namespace raddle::analysis
