// SPDX-License-Identifier: Apache-2.0
//
// Livelocks in hand-made event streams, and what must not be taken for one.
#include "analysis/livelock.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;
using wire::ThreadReport;
using wire::ThreadState;

Event op(ThreadId thread, OpKind kind, SiteId site, std::uint32_t where = 0,
         std::uint64_t value = 0) {
  Event event{};
  event.thread = thread;
  event.kind = kind;
  event.site = site;
  event.where = wire::make_location(wire::Region::global, 0, where);
  event.value = value;
  return event;
}

ThreadReport report(ThreadId id, ThreadState state) {
  ThreadReport thread{};
  thread.id = id;
  thread.state = state;
  return thread;
}

// Two threads that each try, back off and try again, interleaved at random.
std::vector<Event> back_off_loop(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Event> events;
  std::size_t at[2] = {0, 0};
  while (events.size() < count) {
    auto thread = static_cast<ThreadId>(rng.below(2));
    std::size_t phase = at[thread]++ % 3;
    std::uint32_t other = 64u * (1u - thread);
    if (phase == 0) events.push_back(op(thread, OpKind::mutex_lock, 10, 64u * thread));
    if (phase == 1) events.push_back(op(thread, OpKind::mutex_try_lock, 20, other));
    if (phase == 1) events.back().flags = wire::kEventFailed;
    if (phase == 2) events.push_back(op(thread, OpKind::mutex_unlock, 30, 64u * thread));
  }
  return events;
}

TEST(Livelock, ThreadsThatOnlyRepeatThemselvesAreALivelock) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Event> events = back_off_loop(2000, seed);
    auto cycle = find_livelock(events, {});
    ASSERT_TRUE(cycle.has_value());
    ASSERT_EQ(cycle->turns.size(), 2u);
    for (const auto& turn : cycle->turns) {
      ASSERT_EQ(turn.events.size(), 3u);
      EXPECT_EQ(turn.events[0].site, 10u);
      EXPECT_EQ(turn.events[2].site, 30u);
      EXPECT_GE(turn.repeats, kRepeatsMin);
    }
  }
}

TEST(Livelock, TheBeginningOfTheRunMayBeAnything) {
  std::vector<Event> events;
  for (SiteId site = 1; site < 900; ++site) events.push_back(op(0, OpKind::plain_write, site));
  for (const Event& event : back_off_loop(1100, 1)) events.push_back(event);
  EXPECT_TRUE(find_livelock(events, {}).has_value());
}

TEST(Livelock, DataThatGoesThroughADescriptorMayBeNew) {
  std::vector<Event> events;
  for (int i = 0; i < 2000; ++i) events.push_back(op(0, OpKind::io_write, 10));
  EXPECT_FALSE(find_livelock(events, {}).has_value());
  for (Event& event : events) event.flags = wire::kEventFailed;
  EXPECT_TRUE(find_livelock(events, {}).has_value());
}

TEST(Livelock, OneDifferentValueOrPlaceIsProgress) {
  for (int what = 0; what < 4; ++what) {
    std::vector<Event> events = back_off_loop(2000, 7);
    Event& changed = events[1700];
    if (what == 0) changed.value = 1;
    if (what == 1) changed.where.offset += 4;
    if (what == 2) changed.flags ^= wire::kEventFailed;
    if (what == 3) changed.thread = 2;
    EXPECT_FALSE(find_livelock(events, {}).has_value()) << what;
  }
}

TEST(Livelock, ACounterOrAClockIsProgress) {
  std::vector<Event> events = back_off_loop(2000, 3);
  std::uint64_t clock = 0;
  for (Event& event : events)
    if (event.site == 20 && event.thread == 1) event.value = ++clock;
  EXPECT_FALSE(find_livelock(events, {}).has_value());
}

TEST(Livelock, FewRepeatsAreNotEnough) {
  std::vector<Event> events;
  std::size_t turns = kRepeatsMin * 2;  // half of them are judged
  for (std::size_t i = 0; i < turns * 10; ++i)
    events.push_back(op(0, OpKind::atomic_load, static_cast<SiteId>(1 + i % 10)));
  EXPECT_TRUE(find_livelock(events, {}).has_value());
  events.resize(events.size() - 20);
  EXPECT_FALSE(find_livelock(events, {}).has_value());
}

TEST(Livelock, LongCyclesAreNotBelieved) {
  for (std::size_t period : {kPeriodMax, kPeriodMax + 1}) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < period * kRepeatsMin * 3; ++i)
      events.push_back(op(0, OpKind::atomic_load, static_cast<SiteId>(1 + i % period)));
    EXPECT_EQ(find_livelock(events, {}).has_value(), period == kPeriodMax);
  }
}

TEST(Livelock, AThreadThatWasStarvedOrSleepsMightHaveHelped) {
  std::vector<Event> events = back_off_loop(2000, 3);
  auto with = [&](ThreadId id, ThreadState state) {
    std::vector<ThreadReport> threads = {report(0, ThreadState::running),
                                         report(1, ThreadState::runnable), report(id, state)};
    return find_livelock(events, threads).has_value();
  };
  EXPECT_TRUE(with(2, ThreadState::blocked));
  EXPECT_TRUE(with(2, ThreadState::finished));
  EXPECT_FALSE(with(2, ThreadState::runnable));
  EXPECT_FALSE(with(2, ThreadState::running));
  EXPECT_FALSE(with(2, ThreadState::sleeping));
}

TEST(Livelock, AThreadWithFewerTurnsThanNeededIsDoubted) {
  std::vector<Event> events;
  for (int i = 0; i < 4000; ++i)
    events.push_back(i % 100 == 0 ? op(1, OpKind::yield, 5) : op(0, OpKind::atomic_load, 6));
  EXPECT_FALSE(find_livelock(events, {}).has_value());
  for (int i = 0; i < 8000; ++i)
    events.push_back(i % 100 == 0 ? op(1, OpKind::yield, 5) : op(0, OpKind::atomic_load, 6));
  EXPECT_TRUE(find_livelock(events, {}).has_value());
}

TEST(Livelock, OnlyRunsCutByTheLimitAreJudged) {
  std::vector<Event> events = back_off_loop(2000, 3);
  facts::Run run;
  run.events = events;
  Livelock analysis;
  Findings findings;
  run.verdict.kind = wire::VerdictKind::exited;
  analysis.finish(run, findings);
  EXPECT_TRUE(findings.empty());
  run.verdict.kind = wire::VerdictKind::limit;
  analysis.finish(run, findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].events.size(), 6u);
  EXPECT_FALSE(find_livelock({}, {}).has_value());
}

}  // namespace
}  // namespace raddle::analysis
