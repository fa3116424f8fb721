// SPDX-License-Identifier: Apache-2.0
//
// Result: values, errors and their exit codes. Tests only.
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace raddle {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{"odd", kExitCannotRun};
  return n / 2;
}

TEST(Result, HoldsAValue) {
  Result<int> result = half(8);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 4);
  *result = 5;
  EXPECT_EQ(*result, 5);
}

TEST(Result, HoldsAnErrorWithItsExitCode) {
  Result<int> result = half(7);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "odd");
  EXPECT_EQ(result.error().exit_code, 3);
}

TEST(Result, ErrorsAreUsageErrorsUnlessTheySayOtherwise) { EXPECT_EQ(Error{"x"}.exit_code, 2); }

TEST(Result, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  ASSERT_TRUE(result);
  EXPECT_EQ(**result, 3);
  std::unique_ptr<int> taken = std::move(*result);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, StatusIsDoneOrAnError) {
  Status fine = Done{};
  Status bad = Error{"no"};
  EXPECT_TRUE(fine);
  EXPECT_FALSE(bad);
}

TEST(ResultDeathTest, TakingTheValueOfAnErrorIsABug) {
  EXPECT_EXIT(*half(7), ::testing::ExitedWithCode(70), "result.h");
  EXPECT_EXIT((void)half(8).error(), ::testing::ExitedWithCode(70), "result.h");
}

}  // namespace
}  // namespace raddle
