// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks of everything but locks, by hand and against a naive oracle.
#include "analysis/sync_clocks.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/rng.h"
#include "testing/trace_text.h"

namespace raddle::analysis {
namespace {

using trace_text::trace;
using wire::Event;
using wire::OpKind;

TEST(SyncClocks, CreationAndJoin) {
  SyncClocks clocks;
  clocks.begin();
  EXPECT_EQ(clocks.now(1), 1u);
  SyncClocks::Snapshot before = clocks.snapshot(1);
  EXPECT_EQ(clocks.snapshot(1), before) << "nothing has changed";
  for (const Event& event : trace("1 create 2")) clocks.on_event(event);
  EXPECT_EQ(clocks.now(1), 2u);
  EXPECT_NE(clocks.snapshot(1), before);
  EXPECT_EQ(clocks.known(clocks.snapshot(2), 1), 1u) << "what came before, not what comes after";
  EXPECT_EQ(clocks.known(clocks.snapshot(1), 2), 0u);
  for (const Event& event : trace("2 exit; 1 join 2")) clocks.on_event(event);
  EXPECT_EQ(clocks.known(clocks.snapshot(1), 2), 1u);
  EXPECT_EQ(clocks.known(before, 1), 1u);
  EXPECT_EQ(clocks.known(before, 77), 0u);
}

TEST(SyncClocks, LocksOrderNothing) {
  SyncClocks clocks;
  clocks.begin();
  for (const Event& event :
       trace("1 lock m; 1 unlock m; 2 lock m; 2 unlock m; 1 wr l; 1 rwunlock l"))
    clocks.on_event(event);
  EXPECT_EQ(clocks.now(1), 1u);
  EXPECT_EQ(clocks.known(clocks.snapshot(2), 1), 0u);
}

TEST(SyncClocks, LoadsAcquireWhatWasReleased) {
  auto known = [](const char* give, int released, const char* take, int acquired) {
    SyncClocks clocks;
    clocks.begin();
    auto events = trace(std::string("1 ") + give + " f; 2 " + take + " f");
    events[0].order = static_cast<std::uint8_t>(released);
    events[1].order = static_cast<std::uint8_t>(acquired);
    for (const Event& event : events) clocks.on_event(event);
    return clocks.known(clocks.snapshot(2), 1) == 1;
  };
  EXPECT_TRUE(known("store", __ATOMIC_RELEASE, "load", __ATOMIC_ACQUIRE));
  EXPECT_TRUE(known("u", __ATOMIC_SEQ_CST, "load", __ATOMIC_SEQ_CST));
  EXPECT_FALSE(known("store", __ATOMIC_RELAXED, "load", __ATOMIC_ACQUIRE));
  EXPECT_FALSE(known("store", __ATOMIC_RELEASE, "load", __ATOMIC_RELAXED));
  EXPECT_FALSE(known("u", __ATOMIC_SEQ_CST, "u", __ATOMIC_SEQ_CST)) << "a counter";
  EXPECT_FALSE(known("cas!", __ATOMIC_SEQ_CST, "load", __ATOMIC_SEQ_CST)) << "did not write";
}

TEST(SyncClocks, SweepKeepsWhatIsMarked) {
  SyncClocks clocks;
  clocks.begin();
  SyncClocks::Snapshot kept = clocks.snapshot(1);
  auto post = trace("1 post s");
  for (int i = 0; i < 10; ++i) {
    clocks.on_event(post[0]);
    clocks.snapshot(1);
  }
  EXPECT_EQ(clocks.snapshots(), 11u);
  clocks.mark(kept);
  clocks.sweep();
  EXPECT_EQ(clocks.snapshots(), 2u) << "that, and the thread's own";
  EXPECT_EQ(clocks.known(kept, 1), 1u);
  EXPECT_EQ(clocks.known(clocks.snapshot(1), 1), 11u);
  clocks.sweep();
  EXPECT_EQ(clocks.snapshots(), 1u);
}

// Happens-before as a graph: an edge from each event to what follows it in its thread, and from
// whatever gives to whatever takes later.
TEST(SyncClocks, AsAGraphSays) {
  Rng rng(3);
  for (int turn = 0; turn < 300; ++turn) {
    SyncClocks clocks;
    clocks.begin();
    struct Point {
      ThreadId thread;
      std::set<int> before;
      std::uint32_t now;
      SyncClocks::Snapshot clock;
    };
    std::vector<Point> points;
    std::map<ThreadId, std::set<int>> known;  // of threads
    std::map<char, std::set<int>> objects;    // of what was given to them
    for (int i = 0; i < 30; ++i) {
      auto thread = static_cast<ThreadId>(1 + rng.below(3));
      points.push_back({thread, known[thread], clocks.now(thread), clocks.snapshot(thread)});
      known[thread].insert(i);
      char object = "st"[rng.below(2)];
      bool gives = rng.below(2) == 0;
      std::set<int>& mine = known[thread];
      std::set<int>& theirs = objects[object];
      gives ? theirs.insert(mine.begin(), mine.end()) : mine.insert(theirs.begin(), theirs.end());
      clocks.on_event(trace(std::to_string(thread) + (gives ? " post " : " wait ") + object)[0]);
    }
    for (const Point& later : points)
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Point& first = points[i];
        if (first.thread == later.thread) continue;
        EXPECT_EQ(clocks.known(later.clock, first.thread) >= first.now,
                  later.before.count(static_cast<int>(i)) != 0);
      }
  }
}

}  // namespace
}  // namespace raddle::analysis
