// SPDX-License-Identifier: Apache-2.0
//
// Values of options as people write them, and what is refused.
#include "search/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace raddle::search {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

TEST(Values, DurationsHaveUnits) {
  EXPECT_EQ(*parse_duration("--time", "500ms"), milliseconds(500));
  EXPECT_EQ(*parse_duration("--time", "30s"), milliseconds(30'000));
  EXPECT_EQ(*parse_duration("--time", "1.5s"), milliseconds(1500));
  EXPECT_EQ(*parse_duration("--time", "2"), milliseconds(2000));
  EXPECT_EQ(*parse_duration("--time", "1h"), milliseconds(3'600'000));
  for (const char* bad : {"", "s", "-1s", "0", "1d", "1e3s", "nan", "inf", "1 s", "99999999999h"})
    EXPECT_FALSE(parse_duration("--time", bad)) << bad;
}

TEST(Values, NumbersLieInTheirRange) {
  EXPECT_EQ(*parse_number("--depth", "12", 1, 12), 12u);
  for (const char* bad : {"", "13", "0", "-1", "1.5", "0x3", "1 ", "99999999999999999999"})
    EXPECT_FALSE(parse_number("--depth", bad, 1, 12)) << bad;
  EXPECT_THAT(parse_number("--depth", "13", 1, 12).error().message, HasSubstr("1 to 12"));
}

TEST(Values, AtomicityIsLookedForOrFailsOrNeither) {
  bool fails = true;
  EXPECT_TRUE(*parse_atomicity("warn", fails));
  EXPECT_FALSE(fails);
  EXPECT_TRUE(*parse_atomicity("fail", fails));
  EXPECT_TRUE(fails);
  EXPECT_FALSE(*parse_atomicity("off", fails));
  EXPECT_FALSE(fails);
  EXPECT_THAT(parse_atomicity("maybe", fails, "RADDLE_ATOMICITY").error().message,
              HasSubstr("RADDLE_ATOMICITY: `maybe` is not one of off, warn, fail"));
}

}  // namespace
}  // namespace raddle::search
