// SPDX-License-Identifier: Apache-2.0
//
// Definition-use pairs of small streams of events. Engine side.
#include "analysis/def_use.h"

#include <gtest/gtest.h>

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

constexpr OpKind kRead = OpKind::plain_read, kWrite = OpKind::plain_write;
constexpr OpKind kFree = OpKind::memory_free;

struct Line {
  ThreadId thread;
  OpKind kind;
  std::uint32_t offset;
  std::uint16_t size = 4;
  bool failed = false;
};

// The site of each event is 100 + its index.
std::map<DefUse, Instance> pairs_of(const std::vector<Line>& lines) {
  DefUses uses;
  // A second run must not know the first.
  for (int turn = 0; turn < 2; ++turn) {
    uses.begin();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Event event{};
      event.thread = lines[i].thread;
      event.kind = lines[i].kind;
      event.where = wire::make_location(wire::Region::heap, 1, lines[i].offset);
      event.size = lines[i].size;
      event.flags = lines[i].failed ? wire::kEventFailed : 0;
      uses.on_event(event, static_cast<SiteId>(100 + i));
    }
  }
  return uses.pairs();
}

bool has(const std::map<DefUse, Instance>& pairs, Dependence kind, SiteId first, SiteId second) {
  return pairs.contains({kind, first, second});
}

TEST(DefUse, ReadsGetTheirValueFromTheLastWrite) {
  auto pairs = pairs_of(
      {{1, kRead, 0}, {1, kWrite, 0}, {1, kRead, 0}, {2, kRead, 0}, {2, kWrite, 0}, {1, kRead, 0}});
  EXPECT_TRUE(has(pairs, Dependence::initial_use, 0, 100));
  EXPECT_TRUE(has(pairs, Dependence::own_use, 101, 102));
  EXPECT_TRUE(has(pairs, Dependence::use, 101, 103));
  EXPECT_TRUE(has(pairs, Dependence::overwrite, 101, 104));
  EXPECT_TRUE(has(pairs, Dependence::use, 104, 105));
  EXPECT_EQ(pairs.size(), 5u);
  EXPECT_EQ((pairs.at({Dependence::use, 104, 105}).first), 4u);
  EXPECT_EQ((pairs.at({Dependence::use, 104, 105}).second), 5u);
  EXPECT_EQ((pairs.at({Dependence::initial_use, 0, 100}).first), kNoEvent);
}

TEST(DefUse, BytesAreToldApart) {
  // Two halves of a word by two threads, read as one; the other half of the granule is untouched.
  auto pairs = pairs_of({{1, kWrite, 0, 2}, {2, kWrite, 2, 2}, {3, kRead, 0, 4}, {3, kRead, 4, 4}});
  EXPECT_TRUE(has(pairs, Dependence::use, 100, 102));
  EXPECT_TRUE(has(pairs, Dependence::use, 101, 102));
  EXPECT_TRUE(has(pairs, Dependence::initial_use, 0, 103));
  EXPECT_EQ(pairs.size(), 3u);
  // Across granules, and a part that nobody has written.
  pairs = pairs_of({{1, kWrite, 6, 4}, {2, kRead, 8, 8}});
  EXPECT_TRUE(has(pairs, Dependence::use, 100, 101));
  EXPECT_TRUE(has(pairs, Dependence::initial_use, 0, 101));
}

TEST(DefUse, FreesEndBlocks) {
  auto pairs = pairs_of({{1, kWrite, 0}, {3, kRead, 0}, {2, kFree, 0, 16}, {1, kRead, 0}});
  EXPECT_TRUE(has(pairs, Dependence::end, 100, 102));
  EXPECT_TRUE(has(pairs, Dependence::end, 101, 102));
  EXPECT_TRUE(has(pairs, Dependence::use_after_end, 102, 103));
  pairs = pairs_of({{1, kWrite, 0}, {1, kFree, 0, 16}});
  EXPECT_TRUE(pairs.empty()) << "one's own block";
  pairs = pairs_of({{1, kFree, 0, 16}, {2, kFree, 0, 16}});
  EXPECT_TRUE(has(pairs, Dependence::use_after_end, 100, 101));
}

TEST(DefUse, UpdatesReadAndWrite) {
  auto pairs = pairs_of(
      {{1, OpKind::atomic_store, 0}, {2, OpKind::atomic_rmw, 0}, {1, OpKind::atomic_load, 0}});
  EXPECT_TRUE(has(pairs, Dependence::use, 100, 101));
  EXPECT_TRUE(has(pairs, Dependence::overwrite, 100, 101));
  EXPECT_TRUE(has(pairs, Dependence::use, 101, 102));
  // A compare-exchange that lost wrote nothing.
  pairs = pairs_of({{1, OpKind::atomic_store, 0},
                    {2, OpKind::atomic_cas, 0, 4, true},
                    {1, OpKind::atomic_load, 0}});
  EXPECT_TRUE(has(pairs, Dependence::use, 100, 101));
  EXPECT_TRUE(has(pairs, Dependence::own_use, 100, 102));
  EXPECT_EQ(pairs.size(), 2u);
}

TEST(DefUse, NotificationsThatNobodyHeard) {
  constexpr OpKind kSignal = OpKind::cond_signal, kWait = OpKind::cond_wait;
  auto pairs = pairs_of({{1, kSignal, 0, 0, true}, {2, kWait, 0, 0}});
  EXPECT_TRUE(has(pairs, Dependence::early_signal, 100, 101));
  EXPECT_TRUE(pairs_of({{2, kWait, 0, 0}, {1, kSignal, 0, 0}}).empty());
  EXPECT_TRUE(pairs_of({{1, kSignal, 0, 0, true}, {2, kWait, 8, 0}}).empty()) << "another one";
  EXPECT_TRUE(pairs_of({{1, kSignal, 0, 0, true}, {1, kWait, 0, 0}}).empty()) << "its own";
  EXPECT_TRUE(pairs_of({{1, kSignal, 0, 0, true}, {3, kSignal, 0, 0}, {2, kWait, 0, 0}}).empty())
      << "a later one was heard";
}

}  // namespace
}  // namespace raddle::analysis
