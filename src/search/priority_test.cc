// SPDX-License-Identifier: Apache-2.0
//
// Lists of priority functions: what they accept, and how they combine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kFigure3 = "A: step; step | B: step; step";

std::string error_of(const char* list, const char* by = "--priority") {
  auto parsed = Priority::parse(list, by);
  EXPECT_FALSE(parsed) << list;
  if (parsed) return "";
  EXPECT_EQ(parsed.error().exit_code, kExitUsage);
  return parsed.error().message;
}

TEST(Priority, ListsAreMadeOfKnownNames) {
  for (const PriorityFunction& function : priority_functions()) {
    auto parsed = Priority::parse(function.name);
    ASSERT_TRUE(parsed) << function.name;
    EXPECT_TRUE(parsed->uses(function.name));
    EXPECT_FALSE(function.description.empty());
  }
  auto both = Priority::parse("mdpor,pb");
  ASSERT_TRUE(both);
  EXPECT_TRUE(both->uses("mdpor"));
  EXPECT_TRUE(both->uses("pb"));
  EXPECT_FALSE(both->uses("dpor"));
  EXPECT_FALSE(both->empty());
  EXPECT_TRUE(Priority().empty());
}

TEST(Priority, ErrorsNameWhatIsWrong) {
  EXPECT_EQ(error_of("mdpr"), "--priority: unknown function `mdpr`, did you mean mdpor?");
  EXPECT_THAT(error_of("pb,best", "RADDLE_PRIORITY"), HasSubstr("RADDLE_PRIORITY: unknown"));
  EXPECT_THAT(error_of("pb,best"), HasSubstr("`raddle list priorities` shows all"));
  EXPECT_EQ(error_of("pb,ss,pb"), "--priority: `pb` comes twice");
  for (const char* list : {"", ",", "pb,", ",pb", "pb,,ss"})
    EXPECT_THAT(error_of(list), HasSubstr("has an empty part")) << list;
  EXPECT_THAT(error_of("pb, ss"), HasSubstr("` ss`"));
}

TEST(Priority, TheFirstOfAListDecidesAndTheSecondBreaksTies) {
  ToyExecution run(kFigure3);
  Priority list = *Priority::parse("mdpor,pb");
  auto number = [&](std::uint32_t choice, bool by_dpor) {
    Alternative other = run.at(choice, 1);
    other.by_dpor = by_dpor;
    return list.of(other);
  };
  // Choice 0 costs no preemption, choice 1 one.
  EXPECT_LT(number(0, true), number(1, true));
  EXPECT_LT(number(1, true), number(0, false));
  EXPECT_LT(number(0, false), number(1, false));
  Priority turned = *Priority::parse("pb,mdpor");
  Alternative asked = run.at(1, 1);
  asked.by_dpor = true;
  EXPECT_LT(turned.of(run.at(0, 1)), turned.of(asked));
}

TEST(Priority, AllTogetherFitIntoOneNumber) {
  std::string all;
  for (const PriorityFunction& function : priority_functions())
    all += (all.empty() ? "" : ",") + std::string(function.name);
  Priority list = *Priority::parse(all);
  ToyExecution run(kFigure3);
  Alternative good = run.at(0, 1), bad = run.at(0, 1);
  good.by_dpor = true;
  bad.random = UINT64_MAX;
  EXPECT_LT(list.of(good), list.of(bad));
}

// Nothing is named, so `method` says the same of everything.
TEST(Priority, OfEquallyGoodOnesTheLatestComesFirst) {
  TreeSearch search = bounded_by("method");
  EXPECT_THAT(traces_of(search, kFigure3).threads,
              ElementsAre("AABB", "ABBA", "ABAB", "BBAA", "BAAB", "BABA"));
}

}  // namespace
}  // namespace raddle::search
