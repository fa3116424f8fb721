// SPDX-License-Identifier: Apache-2.0
//
// Eraser's states and candidate sets on small streams of events. Engine side.
#include "analysis/locksets.h"

#include <gtest/gtest.h>

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

constexpr OpKind kRead = OpKind::plain_read, kWrite = OpKind::plain_write;
constexpr OpKind kLock = OpKind::mutex_lock, kUnlock = OpKind::mutex_unlock;

struct Line {
  ThreadId thread;
  OpKind kind;
  char what = 'x';  // a variable or a lock; of creations and joins: '0' + the thread
  std::uint8_t flags = 0;
  std::uint16_t size = 4;
};

Event event_of(const Line& line) {
  Event event{};
  event.thread = line.thread;
  event.kind = line.kind;
  event.flags = line.flags;
  event.site = 100u + static_cast<unsigned>(line.what);
  event.size = wire::is_memory_access(line.kind) ? line.size : 0;
  event.where =
      wire::make_location(wire::Region::global, 0, 16u * static_cast<unsigned>(line.what));
  if (wire::op_class(line.kind) == wire::OpClass::thread)
    event.value = wire::pack_caller(0, static_cast<ThreadId>(line.what - '0'));
  return event;
}

Findings found_in(const std::vector<Line>& lines) {
  Locksets analysis;
  facts::Run run;
  Findings found;
  // A second run must not know the first.
  for (int turn = 0; turn < 2; ++turn) {
    found.clear();
    analysis.begin();
    for (const Line& line : lines) analysis.on_event(event_of(line));
    analysis.finish(run, found);
  }
  return found;
}

std::vector<Line> operator+(std::vector<Line> a, const std::vector<Line>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// One access below locks.
std::vector<Line> below(ThreadId thread, const std::string& locks, OpKind access, char what = 'x') {
  std::vector<Line> lines;
  for (char lock : locks) lines.push_back({thread, kLock, lock});
  lines.push_back({thread, access, what});
  for (auto lock = locks.rbegin(); lock != locks.rend(); ++lock)
    lines.push_back({thread, kUnlock, *lock});
  return lines;
}

TEST(Locksets, OneLockAtAllAccessesIsEnough) {
  EXPECT_TRUE(found_in(below(1, "a", kWrite) + below(2, "a", kWrite) + below(1, "ab", kRead) +
                       below(2, "ca", kWrite))
                  .empty());
}

TEST(Locksets, AnEmptySetIsReportedOnce) {
  Findings found = found_in(below(1, "a", kWrite) + below(2, "b", kWrite) + below(1, "a", kWrite) +
                            below(2, "b", kWrite));
  ASSERT_EQ(found.size(), 1u);
  // The access that emptied the set and what it held, then earlier ones.
  ASSERT_GE(found[0].events.size(), 4u);
  EXPECT_EQ(found[0].events[0].thread, 1u);
  EXPECT_EQ(found[0].events[1].kind, OpKind::held);
  EXPECT_EQ(found[0].events[1].where, event_of({1, kLock, 'a'}).where);
  EXPECT_EQ(found_in(below(1, "", kWrite) + below(2, "", kWrite)).size(), 1u);
}

TEST(Locksets, SetsShrinkOverMoreThanTwoAccesses) {
  // Every two have a lock in common, all three have none.
  Findings found = found_in(below(1, "", kWrite) + below(2, "ab", kWrite) + below(1, "bc", kWrite) +
                            below(3, "ca", kWrite));
  EXPECT_EQ(found.size(), 1u);
}

TEST(Locksets, InitialisationAndReadingNeedNoLock) {
  EXPECT_TRUE(found_in(below(1, "", kWrite) + below(1, "", kWrite) + below(2, "", kRead) +
                       below(3, "", kRead))
                  .empty())
      << "shared, but not modified";
  EXPECT_TRUE(found_in(below(1, "", kWrite) + below(2, "a", kWrite) + below(1, "a", kRead)).empty())
      << "the first thread needed none";
  EXPECT_EQ(found_in(below(1, "", kWrite) + below(2, "", kRead) + below(1, "", kWrite)).size(), 1u);
}

TEST(Locksets, WritersNeedTheLockForWriting) {
  constexpr OpKind kShared = OpKind::rwlock_read, kAlone = OpKind::rwlock_write;
  constexpr OpKind kEnd = OpKind::rwlock_unlock;
  auto with = [&](ThreadId thread, OpKind lock, OpKind access) {
    return std::vector<Line>{{thread, lock, 'r'}, {thread, access}, {thread, kEnd, 'r'}};
  };
  EXPECT_TRUE(found_in(with(1, kAlone, kWrite) + with(2, kShared, kRead) + with(1, kAlone, kWrite) +
                       with(3, kShared, kRead))
                  .empty());
  Findings found = found_in(with(1, kAlone, kWrite) + with(2, kShared, kWrite));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].events[1].order, 1) << "held for reading";
}

TEST(Locksets, CreationAndJoinHandDataOver) {
  Line create1{0, OpKind::thread_create, '1'}, create2{0, OpKind::thread_create, '2'};
  Line join1{0, OpKind::thread_join, '1'}, join2{0, OpKind::thread_join, '2'};
  auto worker = below(1, "", kWrite);
  EXPECT_TRUE(found_in(below(0, "", kWrite) + std::vector{create1} + worker + std::vector{join1} +
                       below(0, "", kWrite))
                  .empty());
  EXPECT_TRUE(found_in(std::vector{create1, create2} + below(1, "a", kWrite) +
                       below(2, "a", kWrite) + std::vector{join1, join2} + below(0, "", kWrite))
                  .empty())
      << "all is over";
  EXPECT_EQ(found_in(std::vector{create1, create2} + below(1, "a", kWrite) + below(2, "a", kWrite) +
                     std::vector{join1} + below(0, "", kWrite))
                .size(),
            1u)
      << "the other one still runs";
  EXPECT_EQ(found_in(std::vector{create1} + below(0, "", kWrite) + worker).size(), 1u)
      << "written after the creation";
}

TEST(Locksets, BytesLocksAndBlocksAreToldApart) {
  EXPECT_TRUE(found_in(below(1, "a", kWrite, 'x') + below(2, "b", kWrite, 'y') +
                       below(1, "a", kWrite, 'x') + below(2, "b", kWrite, 'y'))
                  .empty());
  // Freed in between: another block.
  EXPECT_TRUE(found_in(below(1, "", kWrite) + std::vector<Line>{{1, OpKind::memory_free}} +
                       below(2, "", kWrite))
                  .empty());
  // Recursion: still held after the inner unlock.
  std::vector<Line> deep = {
      {1, kLock, 'a'}, {1, kLock, 'a'}, {1, kUnlock, 'a'}, {1, kWrite}, {1, kUnlock, 'a'}};
  EXPECT_TRUE(found_in(below(2, "a", kWrite) + deep + below(2, "a", kWrite)).empty());
}

TEST(Locksets, TriesThatFailHoldNothing) {
  auto with = [](std::uint8_t flags) {
    return found_in(below(1, "a", kWrite) +
                    std::vector<Line>{{2, OpKind::mutex_try_lock, 'a', flags}, {2, kWrite}})
        .size();
  };
  EXPECT_EQ(with(0), 0u);
  EXPECT_EQ(with(wire::kEventFailed), 1u);
}

TEST(Locksets, WhatIsRememberedWasExclusive) {
  Line earlier{1, kWrite, 'x', wire::kEventRemembered};
  EXPECT_TRUE(
      found_in(std::vector{earlier} + below(2, "a", kWrite) + below(1, "a", kWrite)).empty());
  EXPECT_EQ(found_in(std::vector{earlier} + below(2, "", kWrite)).size(), 1u);
}

TEST(Locksets, AtomicsAreNoData) {
  EXPECT_TRUE(
      found_in({{1, OpKind::atomic_store}, {2, OpKind::atomic_store}, {1, OpKind::atomic_rmw}})
          .empty());
}

TEST(Locksets, OneAccessIsOneReportAndManyAreBounded) {
  std::vector<Line> wide = {{1, kWrite, 'x', 0, 16}, {2, kWrite, 'x', 0, 16}};
  EXPECT_EQ(found_in(wide).size(), 1u);
  Locksets analysis;
  analysis.begin();
  for (std::uint32_t i = 0; i < 1000; ++i)
    for (ThreadId thread : {1, 2}) {
      Event event = event_of({thread, kWrite});
      event.where.offset = 16 * i;
      analysis.on_event(event);
    }
  Findings found;
  analysis.finish({}, found);
  EXPECT_EQ(found.size(), kUnprotectedMax);
}

}  // namespace
}  // namespace raddle::analysis
