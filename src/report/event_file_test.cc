// SPDX-License-Identifier: Apache-2.0
//
// Events and modules survive being stored; damage never passes.
#include "report/event_file.h"

#include <gtest/gtest.h>

#include <cstring>

namespace raddle::report {
namespace {

std::vector<wire::Event> some_events() {
  std::vector<wire::Event> events(5);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i] = {};
    events[i].site = static_cast<SiteId>(i * 7);
    events[i].kind = wire::OpKind::mutex_lock;
  }
  return events;
}

facts::ModuleTable some_modules() {
  return facts::ModuleTable({{"/project/bank", 0x1000, 1, 2}, {"", 3, 4, 5}});
}

EventFile some_file() {
  EventFile file{some_events(), some_modules(), {}};
  for (SiteId i = 0; i < 5; ++i) file.stacks.add({7, i % 2, 9});
  file.stacks.add_local(wire::make_location(wire::Region::stack, 1, 64), {7, -24});
  file.stacks.add_local(wire::make_location(wire::Region::stack, 1, 64), {8, -24});
  return file;
}

TEST(EventFile, EncodeAndDecodeAreInverse) {
  auto decoded = decode_events(encode_events(some_file()), "e");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->modules.modules(), some_modules().modules());
  ASSERT_EQ(decoded->events.size(), 5u);
  EXPECT_EQ(std::memcmp(decoded->events.data(), some_events().data(), 5 * sizeof(wire::Event)), 0);
  EXPECT_EQ(decoded->stacks.stacks(), some_file().stacks.stacks());
  EXPECT_EQ(decoded->stacks.stack_of_event(), some_file().stacks.stack_of_event());
  EXPECT_EQ(decoded->stacks.locals(), some_file().stacks.locals());
  EXPECT_TRUE(decode_events(encode_events({}), "e"));
  EXPECT_TRUE(decode_events(encode_events({some_events(), {}, {}}), "e"));
}

TEST(EventFile, EveryTruncationAndEveryFlippedEventByteIsRefused) {
  std::string data = encode_events(some_file());
  for (std::size_t length = 0; length < data.size(); ++length)
    ASSERT_FALSE(decode_events(data.substr(0, length), "e")) << length;
  ASSERT_FALSE(decode_events(data + "x", "e"));
  // Two stacks of three sites, a number for each event, two local places.
  std::size_t events_at = data.size() - 5 * sizeof(wire::Event) - 2 * 16 - 5 * 4 - 2 * 16;
  for (std::size_t at = events_at; at < data.size(); ++at) {
    std::string changed = data;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    auto result = decode_events(changed, "e");
    ASSERT_FALSE(result) << at;
    EXPECT_EQ(result.error().message, "e: damaged or truncated");
  }
  // Elsewhere a flipped byte may go unnoticed (a path), but it never crashes.
  for (std::size_t at = 0; at < events_at; ++at) {
    std::string changed = data;
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    (void)decode_events(changed, "e");
  }
}

TEST(EventFile, OtherVersionsAndOtherFilesAreToldApart) {
  std::string data = encode_events(some_file());
  std::string other = data;
  other[8] = 9;
  EXPECT_NE(decode_events(other, "e").error().message.find("another version"), std::string::npos);
  other = data;
  other[0] = 'X';
  EXPECT_EQ(decode_events(other, "e").error().message, "e: not an event file");
}

}  // namespace
}  // namespace raddle::report
