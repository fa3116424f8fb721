// SPDX-License-Identifier: Apache-2.0
//
// Which events are accesses to what, and how they are named. Engine side.
#include "analysis/access_trace.h"

#include <gtest/gtest.h>

#include "analysis/interleavings.h"

namespace raddle::analysis {
namespace {

using wire::OpKind;

std::vector<Access> accesses(const std::vector<wire::Event>& events) {
  AccessTrace trace;
  trace.begin();
  for (const wire::Event& event : events) trace.on_event(event);
  trace.finish();
  return {trace.accesses().begin(), trace.accesses().end()};
}

TEST(AccessTrace, NamesAnAccessByThreadSiteAndRepetition) {
  auto read = [](std::size_t thread, SiteId site) {
    return Interleavings::event(thread, OpKind::plain_read, 0, 0, site);
  };
  std::vector<Access> made = accesses(
      {read(1, 5), read(2, 5), read(1, 5), read(1, 6), read(1, 5), read(1, 5), read(1, 5)});
  ASSERT_EQ(made.size(), 7u);
  EXPECT_EQ(made[2].nth, 2);
  EXPECT_EQ(made[5].nth, kNthMax);
  EXPECT_EQ(made[6].nth, kNthMax);  // all later ones count as one
  EXPECT_EQ(made[5].name, made[6].name);
  std::set<std::uint64_t> names;
  for (const Access& access : made) names.insert(access.name);
  EXPECT_EQ(names.size(), 6u);
}

TEST(AccessTrace, KnowsWhatReadsAndWhatWrites) {
  wire::Event lost = Interleavings::event(2, OpKind::atomic_cas, 0);
  lost.flags = wire::kEventFailed;
  std::vector<Access> made = accesses({Interleavings::event(1, OpKind::plain_read, 0),
                                       Interleavings::event(1, OpKind::atomic_store, 0),
                                       Interleavings::event(2, OpKind::atomic_rmw, 0), lost,
                                       Interleavings::event(1, OpKind::memory_free, 0),
                                       Interleavings::event(1, OpKind::mutex_lock, 0)});
  ASSERT_EQ(made.size(), 5u);
  EXPECT_TRUE(made[0].reads && !made[0].writes);
  EXPECT_TRUE(!made[1].reads && made[1].writes);
  EXPECT_TRUE(made[2].reads && made[2].writes);
  EXPECT_TRUE(made[3].reads && !made[3].writes);
  EXPECT_TRUE(!made[4].reads && made[4].writes);
}

TEST(AccessTrace, AnAccessToSeveralWordsIsOneToEach) {
  wire::Event copy = Interleavings::event(1, OpKind::plain_write, 1, 0, 9);  // at offset 64
  copy.size = 24;
  wire::Event word = Interleavings::event(2, OpKind::plain_read, 1, 0, 10);
  word.where.offset += 16;
  std::vector<Access> made = accesses({copy, word});
  ASSERT_EQ(made.size(), 2u);  // the other words are one thread's own
  EXPECT_EQ(made[0].variable, made[1].variable);
  EXPECT_FALSE(made[0].further);
  wire::Event all = copy;
  all.thread = 2;
  made = accesses({copy, all});
  ASSERT_EQ(made.size(), 6u);
  EXPECT_FALSE(made[0].further);
  EXPECT_TRUE(made[1].further && made[2].further);
  EXPECT_FALSE(made[3].further);
}

TEST(AccessTrace, ListsWhatIsSharedByVariable) {
  AccessTrace trace;
  for (int run = 0; run < 2; ++run) {  // nothing is left of the run before
    trace.begin();
    for (auto [thread, where] : {std::pair(1, 0), {1, 1}, {2, 1}, {1, 2}, {2, 1}, {2, 2}})
      trace.on_event(Interleavings::event(static_cast<std::size_t>(thread), OpKind::plain_write,
                                          static_cast<std::uint32_t>(where)));
    trace.finish();
    ASSERT_EQ(trace.variables(), 2u);
    EXPECT_EQ(trace.slots(), 2u);
    ASSERT_EQ(trace.of_variable(0).size(), 3u);
    EXPECT_EQ(trace.of_variable(0)[1], 1u);
    EXPECT_EQ(trace.of_variable(1)[0], 2u);
  }
}

}  // namespace
}  // namespace raddle::analysis
