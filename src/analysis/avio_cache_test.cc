// SPDX-License-Identifier: Apache-2.0
//
// The caches against AVIO-S: the same where nothing is displaced and every variable has a line of
// its own, less where lines are displaced, more where variables share one. Engine side.
#include "analysis/avio_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/avio.h"
#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;
using Found = std::set<std::pair<std::uint32_t, unsigned>>;  // event of I and case

Event access(ThreadId thread, OpKind kind, std::uint32_t offset, std::uint32_t region = 0) {
  Event event{};
  event.where = wire::make_location(wire::Region::global, region, offset);
  event.thread = thread;
  event.kind = kind;
  event.size = 4;
  return event;
}

// Every event at a place of code of its own, so that every instance is told.
Found by_hardware(std::vector<Event> events, const CacheParameters& parameters = {},
                  AvioCache::Counts* counts = nullptr) {
  AvioCache cache(parameters);
  cache.begin();
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].site = static_cast<SiteId>(i + 1);
    cache.on_event(events[i]);
  }
  Found found;
  for (const AvioCache::Report& report : cache.reports())
    found.insert({report.i_index, report.number});
  if (counts != nullptr) *counts = cache.counts();
  return found;
}

Found by_software(std::vector<Event> events, Granularity granularity = Granularity::line) {
  Avio avio(granularity);
  avio.begin();
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].site = static_cast<SiteId>(i + 1);
    avio.on_event(events[i]);
  }
  Found found;
  for (const Interleaving& each : avio.interleavings()) found.insert({each.i_index, each.number});
  return found;
}

std::vector<Event> random_trace(Rng& rng, unsigned length, unsigned lines, bool updates) {
  std::vector<Event> events;
  for (unsigned i = 0; i < length; ++i) {
    OpKind kind = rng.below(2) == 0 ? OpKind::plain_read : OpKind::plain_write;
    if (updates && rng.below(4) == 0) kind = OpKind::atomic_rmw;
    events.push_back(access(static_cast<ThreadId>(rng.below(4)), kind, 64 * rng.below(lines)));
  }
  return events;
}

// Of an update both a read and a write may be interleaved: which of the two cases is told differs.
std::set<std::uint32_t> places(const Found& found) {
  std::set<std::uint32_t> made;
  for (const auto& [index, number] : found) made.insert(index);
  return made;
}

template <class Set>
bool includes(const Set& all, const Set& some) {
  return std::ranges::includes(all, some);
}

TEST(AvioCache, TheEightCases) {
  for (unsigned number = 0; number < 8; ++number) {
    auto kind = [&](unsigned bit) {
      return (number & bit) != 0 ? OpKind::plain_write : OpKind::plain_read;
    };
    Found found =
        by_hardware({access(1, kind(1), 0), access(2, kind(2), 0), access(1, kind(4), 0)});
    EXPECT_EQ(found, is_unserializable(number) ? Found({{2, number}}) : Found()) << number;
  }
}

TEST(AvioCache, FindsWhatTheSoftwareFindsUnlessLinesAreDisplaced) {
  Rng rng(1);
  std::size_t found = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Event> events = random_trace(rng, 200, 1 + rng.below(20), false);
    AvioCache::Counts counts;
    Found hardware = by_hardware(events, {}, &counts);
    EXPECT_EQ(hardware, by_software(events)) << "round " << round;
    EXPECT_EQ(counts.displaced, 0u);
    EXPECT_EQ(counts.accesses, events.size());
    found += hardware.size();
  }
  EXPECT_GT(found, 1000u);
}

TEST(AvioCache, WithDisplacementItFindsPartOfThat) {
  CacheParameters small;
  small.l1_bytes = 512;  // two sets of four lines
  small.l2_bytes = 2048;
  Rng rng(2);
  std::size_t hardware_found = 0, software_found = 0;
  std::uint64_t displaced = 0;
  for (int round = 0; round < 100; ++round) {
    bool updates = round % 2 == 1;
    std::vector<Event> events = random_trace(rng, 400, 24, updates);
    AvioCache::Counts counts;
    Found hardware = by_hardware(events, small, &counts);
    Found software = by_software(events);
    EXPECT_TRUE(includes(places(software), places(hardware))) << "round " << round;
    EXPECT_TRUE(updates || includes(software, hardware)) << "round " << round;
    hardware_found += hardware.size();
    software_found += software.size();
    displaced += counts.displaced;
  }
  EXPECT_GT(displaced, 0u);
  EXPECT_GT(hardware_found, 0u);
  EXPECT_LT(hardware_found, software_found);
}

// A small second level takes lines from first levels that have room for them.
TEST(AvioCache, TheSecondLevelDisplacesToo) {
  CacheParameters small;
  small.l2_bytes = 1024;  // two sets of eight lines
  std::vector<Event> events{access(1, OpKind::plain_read, 0), access(2, OpKind::plain_write, 0)};
  for (std::uint32_t line = 1; line < 64; ++line)
    events.push_back(access(3, OpKind::plain_read, 64 * line));
  events.push_back(access(1, OpKind::plain_read, 0));
  EXPECT_EQ(by_hardware(events).size(), 1u);
  EXPECT_TRUE(by_hardware(events, small).empty());
}

TEST(AvioCache, VariablesOnOneLineAreOnePlace) {
  std::vector<Event> events{access(1, OpKind::plain_read, 0), access(2, OpKind::plain_write, 32),
                            access(1, OpKind::plain_read, 0)};
  EXPECT_EQ(by_hardware(events).size(), 1u);
  EXPECT_EQ(by_software(events, Granularity::line).size(), 1u);
  EXPECT_TRUE(by_software(events, Granularity::word).empty());
}

TEST(AvioCache, ThreadsOfOneCoreLookLikeOne) {
  std::vector<Event> events{access(1, OpKind::plain_read, 0), access(5, OpKind::plain_write, 0),
                            access(1, OpKind::plain_read, 0)};
  EXPECT_TRUE(by_hardware(events).empty());
  CacheParameters more;
  more.cores = 8;
  EXPECT_EQ(by_hardware(events, more).size(), 1u);
}

TEST(AvioCache, ARunIsForgottenAtTheBeginningOfTheNext) {
  AvioCache cache;
  for (int run = 0; run < 2; ++run) {
    cache.begin();
    EXPECT_TRUE(cache.reports().empty());
    for (const Event& event : {access(1, OpKind::plain_read, 0), access(2, OpKind::plain_write, 0),
                               access(1, OpKind::plain_read, 0)})
      cache.on_event(event);
    ASSERT_EQ(cache.reports().size(), 1u);
    EXPECT_EQ(cache.reports()[0].count, 1u);
  }
}

}  // namespace
}  // namespace raddle::analysis
