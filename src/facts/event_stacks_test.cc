// SPDX-License-Identifier: Apache-2.0
//
// Frames are folded into the events they follow, wherever the stream is cut. Engine side.
#include "facts/event_stacks.h"

#include <gtest/gtest.h>

namespace raddle::facts {
namespace {

wire::Event event(wire::OpKind kind, SiteId site) {
  wire::Event event{};
  event.kind = kind;
  event.site = site;
  return event;
}

std::vector<SiteId> callers(const EventStacks& stacks, std::size_t index) {
  auto span = stacks.callers(index);
  return {span.begin(), span.end()};
}

TEST(EventStacks, FramesBelongToTheEventBeforeThemEvenAcrossPieces) {
  using wire::OpKind;
  std::vector<wire::Event> stream = {event(OpKind::frame, 99),  // of nothing: a torn stream
                                     event(OpKind::mutex_lock, 1),   event(OpKind::frame, 10),
                                     event(OpKind::frame, 11),       event(OpKind::atomic_load, 2),
                                     event(OpKind::mutex_unlock, 3), event(OpKind::frame, 10),
                                     event(OpKind::frame, 11)};
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    std::vector<wire::Event> events;
    StackFolder folder;
    std::span<const wire::Event> all = stream;
    folder.take(all.first(cut), events);
    folder.take(all.subspan(cut), events);
    EventStacks stacks = folder.finish();
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].site, 1u);
    EXPECT_EQ(events[2].site, 3u);
    ASSERT_EQ(stacks.events(), 3u);
    EXPECT_EQ(callers(stacks, 0), (std::vector<SiteId>{10, 11}));
    EXPECT_EQ(callers(stacks, 1), std::vector<SiteId>{});
    EXPECT_EQ(callers(stacks, 2), (std::vector<SiteId>{10, 11}));
    EXPECT_EQ(stacks.stacks().size(), 2u) << "equal stacks are kept once";
    EXPECT_TRUE(stacks.callers(3).empty());
  }
}

TEST(EventStacks, AFinishedFolderStartsAnew) {
  std::vector<wire::Event> events;
  StackFolder folder;
  std::vector<wire::Event> stream = {event(wire::OpKind::mutex_lock, 1),
                                     event(wire::OpKind::frame, 10)};
  folder.take(stream, events);
  folder.finish();
  EXPECT_EQ(folder.finish().events(), 0u);
}

TEST(EventStacks, PlacesOnStacksAreKnownByTheirFrames) {
  wire::Event lock = event(wire::OpKind::mutex_lock, 1), local = event(wire::OpKind::local, 2);
  lock.where = local.where = wire::make_location(wire::Region::stack, 0, 128);
  local.value = static_cast<std::uint64_t>(-40);
  wire::Event elsewhere = local;
  elsewhere.site = 3;
  std::vector<wire::Event> stream = {lock, local,    event(wire::OpKind::frame, 10), lock, local,
                                     lock, elsewhere};
  std::vector<wire::Event> events;
  StackFolder folder;
  folder.take(stream, events);
  EventStacks stacks = folder.finish();
  EXPECT_EQ(events.size(), 3u);
  EXPECT_EQ(callers(stacks, 0), (std::vector<SiteId>{10}));
  EventStacks::Locals expected = {{lock.where.key(), {{2, -40}, {3, -40}}}};
  EXPECT_EQ(stacks.locals(), expected);
}

}  // namespace
}  // namespace raddle::facts
