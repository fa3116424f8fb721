// SPDX-License-Identifier: Apache-2.0
//
// The eight cases, several remote accesses against trying all orders, granularities, and what
// counts as an access. Engine side.
#include "analysis/avio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

constexpr std::uint32_t kPlace = 64;

Event access(ThreadId thread, OpKind kind, std::uint32_t offset = kPlace, std::uint16_t size = 4) {
  Event event{};
  event.where = wire::make_location(wire::Region::global, 0, offset);
  event.thread = thread;
  event.kind = kind;
  event.size = size;
  return event;
}

// Every event at a place of code of its own: its index + 1.
std::vector<Event> numbered(std::vector<Event> events) {
  for (std::size_t i = 0; i < events.size(); ++i) events[i].site = static_cast<SiteId>(i + 1);
  return events;
}

std::vector<Interleaving> found_in(const std::vector<Event>& events,
                                   Granularity granularity = Granularity::word) {
  Avio avio(granularity);
  avio.begin();
  for (const Event& event : events) avio.on_event(event);
  return avio.interleavings();
}

TEST(Avio, TheEightCases) {
  constexpr bool kUnserializable[] = {false, false, true, true, false, true, true, false};
  for (unsigned number = 0; number < 8; ++number) {
    auto kind = [&](unsigned bit) {
      return (number & bit) != 0 ? OpKind::plain_write : OpKind::plain_read;
    };
    EXPECT_EQ(is_unserializable(number), kUnserializable[number]);
    EXPECT_EQ(case_number((number & 1) != 0, (number & 2) != 0, (number & 4) != 0), number);
    auto found = found_in(numbered({access(1, kind(1)), access(2, kind(2)), access(1, kind(4))}));
    ASSERT_EQ(found.size(), kUnserializable[number] ? 1u : 0u) << "case " << number;
    if (found.empty()) continue;
    EXPECT_EQ(found[0].number, number);
    EXPECT_EQ(found[0].p, 1u);
    EXPECT_EQ(found[0].r, 2u);
    EXPECT_EQ(found[0].i, 3u);
    EXPECT_EQ(found[0].p_index, 0u);
    EXPECT_EQ(found[0].r_index, 1u);
    EXPECT_EQ(found[0].i_index, 2u);
    EXPECT_EQ(found[0].count, 1u);
  }
}

// -- against all orders ---------------------------------------------------------------------------

// What each access of the order reads (-1: what was there before) and who wrote last, by the number
// of the access.
std::vector<int> view(const std::vector<Event>& events, const std::vector<int>& order) {
  std::vector<int> reads(events.size() + 1, -2);
  int last = -1;
  for (int i : order) {
    std::uint8_t bits = access_bits(events[static_cast<std::size_t>(i)]);
    if ((bits & kReads) != 0) reads[static_cast<std::size_t>(i)] = last;
    if ((bits & kWrites) != 0) last = i;
  }
  reads.back() = last;
  return reads;
}

// Whether the first and the last access, which are of one thread, could have followed each other
// directly: tries every order of the rest that keeps that of each thread.
bool serializable(const std::vector<Event>& events) {
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(events.size()); ++i) order.push_back(i);
  std::vector<int> real = view(events, order);
  auto at = [&](int i) { return std::ranges::find(order, i) - order.begin(); };
  int last = static_cast<int>(events.size()) - 1;
  do {
    bool kept = at(last) == at(0) + 1;
    for (int a = 1; kept && a < last; ++a)
      for (int b = a + 1; kept && b < last; ++b)
        kept = events[static_cast<std::size_t>(a)].thread !=
                   events[static_cast<std::size_t>(b)].thread ||
               at(a) < at(b);
    if (kept && view(events, order) == real) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

OpKind random_kind(Rng& rng) {
  constexpr OpKind kKinds[] = {OpKind::plain_read,  OpKind::plain_write, OpKind::plain_read,
                               OpKind::plain_write, OpKind::atomic_rmw,  OpKind::atomic_load,
                               OpKind::atomic_store};
  return kKinds[rng.below(std::size(kKinds))];
}

TEST(Avio, SeveralRemoteAccessesAreJudgedAsByTryingAllOrders) {
  Rng rng(6);
  unsigned unserializable = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Event> events{access(1, random_kind(rng))};
    unsigned remote = 1 + rng.below(4), threads = 1 + rng.below(3);
    for (unsigned i = 0; i < remote; ++i)
      events.push_back(access(static_cast<ThreadId>(2 + rng.below(threads)), random_kind(rng)));
    events.push_back(access(1, random_kind(rng)));
    events = numbered(events);
    auto found = found_in(events);
    bool reported = std::ranges::any_of(
        found, [&](const Interleaving& each) { return each.i == events.size(); });
    EXPECT_EQ(reported, !serializable(events)) << "round " << round;
    unserializable += reported;
  }
  EXPECT_GT(unserializable, 500u);
  EXPECT_LT(unserializable, 2500u);
}

// Every pair of neighbours of every thread, in traces of several variables.
TEST(Avio, EveryPairOfATraceIsJudged) {
  Rng rng(7);
  for (int round = 0; round < 600; ++round) {
    std::vector<Event> events;
    unsigned threads = 2 + rng.below(3);
    for (int i = 0; i < 12; ++i)
      events.push_back(access(static_cast<ThreadId>(rng.below(threads)), random_kind(rng),
                              kPlace + 4 * rng.below(2)));
    events = numbered(events);
    std::set<std::pair<std::uint32_t, std::uint32_t>> expected, reported;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      std::vector<Event> window;
      for (std::uint32_t p = i; p-- > 0;) {
        if (events[p].where != events[i].where) continue;
        window.insert(window.begin(), events[p]);
        if (events[p].thread != events[i].thread) continue;
        window.push_back(events[i]);
        if (window.size() <= 8 && !serializable(window)) expected.insert({p, i});
        if (window.size() > 8) expected.insert({p, i}), reported.insert({p, i});
        break;
      }
    }
    for (const Interleaving& found : found_in(events)) {
      reported.insert({found.p_index, found.i_index});
      // The remote access alone is enough.
      EXPECT_LT(found.p_index, found.r_index);
      EXPECT_LT(found.r_index, found.i_index);
      EXPECT_FALSE(
          serializable({events[found.p_index], events[found.r_index], events[found.i_index]}));
      EXPECT_TRUE(is_unserializable(found.number));
    }
    EXPECT_EQ(reported, expected) << "round " << round;
  }
}

// -- what counts ----------------------------------------------------------------------------------

TEST(Avio, NothingComesBetweenAReadModifyWrite) {
  auto rmw = OpKind::atomic_rmw;
  EXPECT_TRUE(found_in(numbered({access(1, rmw), access(2, rmw)})).empty());
  // A compare-exchange that has lost writes nothing.
  std::vector<Event> lost{access(1, OpKind::plain_read), access(2, OpKind::atomic_cas),
                          access(1, OpKind::plain_read)};
  EXPECT_EQ(found_in(numbered(lost)).size(), 1u);
  lost[1].flags = wire::kEventFailed;
  EXPECT_TRUE(found_in(numbered(lost)).empty());
  // It reads what was to be overwritten.
  std::vector<Event> seen{access(1, OpKind::plain_write), access(2, rmw),
                          access(1, OpKind::plain_write)};
  ASSERT_EQ(found_in(numbered(seen)).size(), 1u);
  EXPECT_EQ(found_in(numbered(seen))[0].number, 5u);
}

// Two bytes of a word: that of T1 was written before T2 came to the other one, but is told after.
TEST(Avio, WhatIsToldLateWasNotInterleaved) {
  std::vector<Event> events{access(1, OpKind::plain_read, kPlace, 1),
                            access(2, OpKind::plain_write, kPlace + 1, 1),
                            access(1, OpKind::plain_write, kPlace, 1)};
  EXPECT_EQ(found_in(numbered(events)).size(), 1u);
  events[2].flags = wire::kEventRemembered | wire::kEventConflict;
  EXPECT_TRUE(found_in(numbered(events)).empty());
  // It is P of what comes next all the same.
  events.push_back(access(2, OpKind::plain_read, kPlace, 1));
  events.push_back(access(1, OpKind::plain_write, kPlace, 1));
  auto found = found_in(numbered(events));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().number, 5u);
  EXPECT_EQ(found.back().p, 3u);
}

// T1 has initialised what it hands to T2 by its creation, and goes on with it: what it did is told
// only then, after T2 has come.
TEST(Avio, WhatIsToldLateCameBeforeWhoIsKnown) {
  std::vector<Event> events{access(2, OpKind::plain_read), access(1, OpKind::plain_write),
                            access(1, OpKind::plain_read), access(2, OpKind::plain_write)};
  ASSERT_EQ(found_in(numbered(events)).size(), 1u);
  EXPECT_EQ(found_in(numbered(events))[0].number, 6u);
  events[1].flags = wire::kEventRemembered;
  EXPECT_TRUE(found_in(numbered(events)).empty());
  // A write in between is the one that is named, whatever is told after it.
  events = {access(2, OpKind::plain_read), access(3, OpKind::plain_write),
            access(1, OpKind::plain_write), access(2, OpKind::plain_read)};
  events[2].flags = wire::kEventRemembered;
  auto found = found_in(numbered(events));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].r, 2u);
  // The last of several writes of a thread may be told late.
  events[2].thread = 3;
  found = found_in(numbered(events));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].r, 3u);
}

TEST(Avio, Granularities) {
  auto mixed = [](std::uint32_t remote) {
    return numbered({access(1, OpKind::plain_read, kPlace, 1),
                     access(2, OpKind::plain_write, kPlace + remote, 1),
                     access(1, OpKind::plain_read, kPlace, 1)});
  };
  auto count = [&](std::uint32_t remote, Granularity granularity) {
    return found_in(mixed(remote), granularity).size();
  };
  EXPECT_EQ(count(0, Granularity::byte), 1u);
  EXPECT_EQ(count(1, Granularity::byte), 0u);
  EXPECT_EQ(count(3, Granularity::word), 1u);
  EXPECT_EQ(count(4, Granularity::word), 0u);
  EXPECT_EQ(count(63, Granularity::line), 1u);
  EXPECT_EQ(count(64, Granularity::line), 0u);
}

TEST(Avio, BytesOfSeveralWordsAreOneInterleaving) {
  auto found = found_in(numbered({access(1, OpKind::plain_read, kPlace, 16),
                                  access(2, OpKind::plain_write, kPlace + 4, 8),
                                  access(1, OpKind::plain_read, kPlace, 16)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].count, 1u);
}

TEST(Avio, InstancesOfTheSameCodeAreCounted) {
  std::vector<Event> events;
  for (int i = 0; i < 5; ++i) {
    events.push_back(access(1, OpKind::plain_read));
    events.back().site = 7;
    events.push_back(access(2, OpKind::plain_write));
    events.back().site = 8;
  }
  auto found = found_in(events);
  // The reads of T1 (case 2); the writes of T2 around them (case 5).
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].count, 4u);
  EXPECT_EQ(found[0].i_index, 2u);
  EXPECT_EQ(found[0].last_i_index, 8u);
  EXPECT_EQ(found[1].number, 5u);
}

TEST(Avio, AFreeForgetsTheBlock) {
  auto heap = [](ThreadId thread, OpKind kind, std::uint32_t block) {
    Event event = access(thread, kind);
    event.where = wire::make_location(wire::Region::heap, block, 8);
    return event;
  };
  for (std::uint32_t freed : {3u, 4u}) {
    auto found =
        found_in(numbered({heap(1, OpKind::plain_read, 3), heap(2, OpKind::plain_write, 3),
                           heap(2, OpKind::memory_free, freed), heap(1, OpKind::plain_read, 3)}));
    EXPECT_EQ(found.size(), freed == 3 ? 0u : 1u);
  }
}

TEST(Avio, CandidatesHaveAPrecedingAccessAndAnotherThread) {
  Avio avio;
  avio.begin();
  std::vector<Event> events = numbered({
      access(1, OpKind::plain_write, 0),   // 1: the first of its thread
      access(1, OpKind::plain_read, 0),    // 2: an I, once another thread comes
      access(1, OpKind::plain_read, 100),  // 3
      access(1, OpKind::plain_read, 100),  // 4: nobody else comes
      access(2, OpKind::plain_write, 0),   // 5: the first of its thread
      access(1, OpKind::plain_read, 0),    // 6
  });
  for (const Event& event : events) avio.on_event(event);
  EXPECT_EQ(avio.candidates(), (std::vector<SiteId>{2, 6}));
  avio.begin();
  EXPECT_TRUE(avio.candidates().empty());
  EXPECT_TRUE(avio.interleavings().empty());
}

TEST(Avio, OnlyInvariantsAreSuspected) {
  Avio avio;
  std::vector<Event> events = numbered(
      {access(1, OpKind::plain_read), access(2, OpKind::plain_write), access(1, OpKind::plain_read),
       access(2, OpKind::plain_write), access(1, OpKind::plain_write)});
  facts::Run run;
  run.events = events;
  auto suspicions = [&] {
    avio.begin();
    for (const Event& event : events) avio.on_event(event);
    Findings findings;
    avio.finish(run, findings);
    return findings;
  };
  EXPECT_TRUE(suspicions().empty());
  avio.suspect([](SiteId site) { return site == 5; });
  Findings found = suspicions();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first_index, 4u);
  ASSERT_EQ(found[0].events.size(), 3u);
  EXPECT_EQ(found[0].events[0].site, 3u);
  EXPECT_EQ(found[0].events[1].site, 4u);
  EXPECT_EQ(found[0].events[2].site, 5u);
  EXPECT_EQ(found[0].thread, 1);
}

// More places than are kept: what is found is right, and memory is bounded.
TEST(Avio, ManyPlaces) {
  Avio avio(Granularity::byte);
  avio.begin();
  Event wide = access(1, OpKind::plain_write, 0, 0xffff);
  for (std::uint32_t i = 0; i < 6; ++i) {
    wide.where.offset = i * 0x10000;
    avio.on_event(wide);
  }
  EXPECT_TRUE(avio.interleavings().empty());
  for (const Event& event :
       numbered({access(1, OpKind::plain_read, 5), access(2, OpKind::plain_write, 5),
                 access(1, OpKind::plain_read, 5)}))
    avio.on_event(event);
  EXPECT_EQ(avio.interleavings().size(), 1u);
}

}  // namespace
}  // namespace raddle::analysis
