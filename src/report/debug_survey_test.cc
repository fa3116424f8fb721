// SPDX-License-Identifier: Apache-2.0
//
// What compilers record about themselves.
#include "report/debug_survey.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

TEST(DebugSurvey, GccRecordsItsOptions) {
  Producer with = parse_producer(
      "GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fsanitize=thread "
      "-fasynchronous-unwind-tables");
  EXPECT_EQ(with.compiler, "GNU C++17 12.2.0");
  EXPECT_EQ(with.optimisation, "-O2");
  EXPECT_EQ(with.instrumented, true);
  Producer without = parse_producer("GNU C17 12.2.0 -mtune=generic -g");
  EXPECT_EQ(without.optimisation, "-O0");
  EXPECT_EQ(without.instrumented, false);
  Producer taken_back =
      parse_producer("GNU C17 12.2.0 -O -O3 -fsanitize=thread -fno-sanitize=thread");
  EXPECT_EQ(taken_back.optimisation, "-O3");
  EXPECT_EQ(taken_back.instrumented, false);
  EXPECT_EQ(parse_producer("GNU C17 12.2.0 -g -O").optimisation, "-O1");
}

TEST(DebugSurvey, ClangRecordsItsVersionOnly) {
  Producer producer = parse_producer("Debian clang version 14.0.6");
  EXPECT_EQ(producer.compiler, "Debian clang version 14.0.6");
  EXPECT_EQ(producer.optimisation, "");
  EXPECT_FALSE(producer.instrumented.has_value());
  EXPECT_EQ(parse_producer("").compiler, "");
}

TEST(DebugSurvey, ReadsThisProgram) {
  auto survey = survey_debug_info("/proc/self/exe");
  ASSERT_TRUE(survey);
  EXPECT_GT(survey->units, 10u);
  EXPECT_EQ(survey->missing, 0u);
  EXPECT_FALSE(survey->compilers.empty());
  EXPECT_FALSE(survey_debug_info("/dev/null"));
}

}  // namespace
}  // namespace raddle::report
