// SPDX-License-Identifier: Apache-2.0
//
// RADDLE_CHECK: passes silently, fails loudly. Tests only.
#include "base/check.h"

#include <gtest/gtest.h>

namespace raddle {
namespace {

TEST(Check, TrueConditionsAreEvaluatedOnceAndPass) {
  int count = 0;
  RADDLE_CHECK(++count == 1);
  EXPECT_EQ(count, 1);
}

TEST(CheckDeathTest, AFailedCheckNamesItselfAndEndsTheProcess) {
  int two = 2;
  EXPECT_EXIT(RADDLE_CHECK(two == 3), ::testing::ExitedWithCode(70),
              "check_test.cc.*two == 3|two == 3.*check_test.cc");
}

}  // namespace
}  // namespace raddle
