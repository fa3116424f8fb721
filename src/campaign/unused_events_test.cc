// SPDX-License-Identifier: Apache-2.0
//
// What is said of events that were never passed.
#include "campaign/unused_events.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace raddle::campaign {
namespace {

std::vector<std::string> said(const std::string& text, unsigned passed, const char* name = "s") {
  auto use = std::make_unique<wire::ScheduleUse>();
  use->text_size = static_cast<std::uint32_t>(text.size());
  std::memcpy(use->text, text.data(), text.size());
  use->passed[0] = static_cast<std::uint8_t>(passed);
  std::strcpy(use->name, name);
  return unused_events({use.get(), 1});
}

TEST(UnusedEvents, AreNamedAsTheScheduleDoes) {
  EXPECT_EQ(said("a -> b", 3), std::vector<std::string>());
  EXPECT_EQ(said("a -> b#2@t", 1),
            std::vector<std::string>{
                "no run has passed `b#2@t` of the event schedule \"s\": is it misspelt?"});
  EXPECT_EQ(said("a -> b, [c] -> d", 2, ""),
            std::vector<std::string>{
                "no run has passed `a`, `c`, `d` of the event schedule: are they misspelt?"});
}

TEST(UnusedEvents, NothingIsSaidWithoutSchedules) {
  EXPECT_EQ(said("", 0), std::vector<std::string>());
  EXPECT_EQ(unused_events({}), std::vector<std::string>());
}

}  // namespace
}  // namespace raddle::campaign
