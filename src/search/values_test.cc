// SPDX-License-Identifier: Apache-2.0
//
// Values of options as people write them, and what is refused.
#include "search/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "facts/failing.h"

namespace raddle::search {
namespace {

using facts::Failing;
using facts::FindingKind;

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
  using Kinds = std::vector<FindingKind>;
  Kinds fail_on = {FindingKind::leaked_thread};
  EXPECT_TRUE(*parse_atomicity("warn", fail_on));
  EXPECT_FALSE(*parse_atomicity("off", fail_on));
  EXPECT_EQ(fail_on, Kinds{FindingKind::leaked_thread});
  EXPECT_TRUE(*parse_atomicity("fail", fail_on));
  EXPECT_EQ(fail_on, (Kinds{FindingKind::leaked_thread, FindingKind::atomicity_violation}));
  EXPECT_THAT(parse_atomicity("maybe", fail_on, "RADDLE_ATOMICITY").error().message,
              HasSubstr("RADDLE_ATOMICITY: `maybe` is not one of off, warn, fail"));
}

TEST(Values, WarningsThatCount) {
  auto counting = [](const char* text) { return Failing{true, *parse_fail_on(text)}; };
  EXPECT_FALSE(counting("none").counts(FindingKind::leaked_thread));
  EXPECT_TRUE(counting("none").counts(FindingKind::crash));
  Failing two = counting("leaked-thread,potential-deadlock");
  EXPECT_TRUE(two.counts(FindingKind::leaked_thread));
  EXPECT_TRUE(two.counts(FindingKind::potential_deadlock));
  EXPECT_FALSE(two.counts(FindingKind::inconsistent_locks));
  EXPECT_FALSE(Failing{false}.counts(FindingKind::data_race));
  for (const char* bad :
       {"", "crash", "data-race", "leaked-thread,", ",leaked-thread", "none,none"})
    EXPECT_FALSE(parse_fail_on(bad)) << bad;
  EXPECT_THAT(parse_fail_on("x", "RADDLE_FAIL_ON").error().message,
              HasSubstr("RADDLE_FAIL_ON: `x` is not warnings among leaked-thread, "));
}

}  // namespace
}  // namespace raddle::search
