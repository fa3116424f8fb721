// SPDX-License-Identifier: Apache-2.0
//
// The event stream's fingerprint: every bit of every event counts, and so does their order.
#include "facts/event_hash.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

#include "base/rng.h"

namespace raddle::facts {
namespace {

std::vector<wire::Event> random_events(std::size_t count) {
  Rng rng(7);
  std::vector<wire::Event> events(count);
  for (wire::Event& event : events) {
    std::uint64_t words[4];
    for (std::uint64_t& word : words) word = rng.next();
    std::memcpy(&event, words, sizeof event);
  }
  return events;
}

TEST(EventHash, ChangesWithEveryBitOfAnEvent) {
  std::vector<wire::Event> events = random_events(3);
  std::set<std::uint64_t> seen = {event_hash(events)};
  for (std::size_t bit = 0; bit < sizeof(wire::Event) * 8; ++bit) {
    std::vector<wire::Event> changed = events;
    auto* bytes = reinterpret_cast<unsigned char*>(&changed[1]);
    bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ (1u << (bit % 8)));
    EXPECT_TRUE(seen.insert(event_hash(changed)).second) << "bit " << bit;
  }
}

TEST(EventHash, DependsOnOrderAndLength) {
  std::vector<wire::Event> events = random_events(2);
  std::vector<wire::Event> swapped = {events[1], events[0]};
  std::vector<wire::Event> shorter = {events[0]};
  EXPECT_NE(event_hash(events), event_hash(swapped));
  EXPECT_NE(event_hash(events), event_hash(shorter));
  EXPECT_NE(event_hash({}), 0u);
}

TEST(EventHash, IsPartOfTheScheduleFormatAndSoNeverChanges) {
  wire::Event event{};
  event.value = 42;
  event.site = 7;
  event.kind = wire::OpKind::mutex_lock;
  EXPECT_EQ(event_hash({}), 0xac163c8401b083cfu);
  EXPECT_EQ(event_hash(std::span(&event, 1)), 0xead565145a63ae85u);
}

}  // namespace
}  // namespace raddle::facts
