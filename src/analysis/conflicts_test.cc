// SPDX-License-Identifier: Apache-2.0
//
// Orders, edges and windows of small streams of events. Engine side.
#include "analysis/conflicts.h"

#include <gtest/gtest.h>

namespace raddle::analysis {
namespace {

using wire::OpKind;

constexpr OpKind kRead = OpKind::plain_read, kWrite = OpKind::plain_write;

struct Line {
  ThreadId thread;
  OpKind kind;
  char variable;
  SiteId place;
};

Conflicts conflicts_of(const std::vector<Line>& lines) {
  Conflicts conflicts;
  conflicts.begin();
  for (const Line& line : lines) {
    wire::Event event{};
    event.thread = line.thread;
    event.kind = line.kind;
    event.where =
        wire::make_location(wire::Region::global, 0, 16u * static_cast<unsigned>(line.variable));
    event.size = wire::is_memory_access(line.kind) ? 8 : 0;
    conflicts.on_event(event, line.place);
  }
  return conflicts;
}

TEST(Conflicts, OrdersAreOfDifferentThreadsAndOneWrites) {
  Conflicts conflicts = conflicts_of({{1, kRead, 'x', 10},
                                      {2, kRead, 'x', 20},
                                      {2, kWrite, 'x', 21},
                                      {1, kWrite, 'x', 11},
                                      {1, kRead, 'y', 12}});
  Conflicts::Orders expected = {{10, 21}, {20, 11}, {21, 11}};
  EXPECT_EQ(conflicts.orders(), expected);
}

TEST(Conflicts, EdgesLeadToTheNextConflict) {
  Conflicts conflicts = conflicts_of({{1, kWrite, 'x', 10},
                                      {2, kWrite, 'x', 20},
                                      {1, kRead, 'x', 11},
                                      {3, kRead, 'x', 30},
                                      {2, kWrite, 'x', 21},
                                      {1, OpKind::mutex_lock, 'm', 12},
                                      {1, OpKind::mutex_unlock, 'm', 13},
                                      {2, OpKind::mutex_lock, 'm', 22}});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const ConflictEdge& edge : conflicts.edges()) edges.push_back({edge.from, edge.to});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {{0, 1}, {1, 2}, {1, 3},
                                                                   {2, 4}, {3, 4}, {6, 7}};
  EXPECT_EQ(edges, expected);
}

TEST(Conflicts, IdentitiesCountTurns) {
  Conflicts one = conflicts_of({{1, kRead, 'x', 10}, {1, kRead, 'x', 10}, {2, kRead, 'x', 10}});
  Conflicts other = conflicts_of({{2, kRead, 'x', 10}, {1, kRead, 'x', 10}, {1, kRead, 'x', 10}});
  EXPECT_EQ(one.identity(0), other.identity(1));
  EXPECT_EQ(one.identity(1), other.identity(2));
  EXPECT_EQ(one.identity(2), other.identity(0));
  EXPECT_NE(one.identity(0), one.identity(1));
}

TEST(Conflicts, TornPairsAreWindows) {
  // T1 writes x and y; T2 reads x before and y after.
  Line read_x{2, kRead, 'x', 20}, read_y{2, kRead, 'y', 21};
  Line write_x{1, kWrite, 'x', 10}, write_y{1, kWrite, 'y', 11};
  auto windows = conflicts_of({read_x, write_x, write_y, read_y}).windows();
  WindowKey key = {20, 10, 11, 21};
  ASSERT_TRUE(windows.contains(key));
  EXPECT_EQ(windows.at(key), (WindowEvents{0, 1, 2, 3}));
  windows = conflicts_of({write_x, read_x, read_y, write_y}).windows();
  EXPECT_TRUE(windows.contains(WindowKey{10, 20, 21, 11}));
  EXPECT_TRUE(conflicts_of({write_x, write_y, read_x, read_y}).windows().empty());
  EXPECT_TRUE(conflicts_of({read_x, read_y, write_x, write_y}).windows().empty());
}

TEST(Conflicts, WindowsAreOfTwoVariablesNearEachOther) {
  Line read{2, kRead, 'x', 20}, again{2, kRead, 'x', 21}, write{1, kWrite, 'x', 10};
  EXPECT_TRUE(conflicts_of({read, write, again}).windows().empty()) << "one variable";
  std::vector<Line> far = {{2, kRead, 'x', 20}, {1, kWrite, 'x', 10}, {1, kWrite, 'y', 11}};
  for (std::uint32_t i = 0; i <= kWindow; ++i) far.push_back({2, kRead, 'z', 30 + i});
  far.push_back({2, kRead, 'y', 21});
  EXPECT_TRUE(conflicts_of(far).windows().empty());
}

}  // namespace
}  // namespace raddle::analysis
