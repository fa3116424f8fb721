// SPDX-License-Identifier: Apache-2.0
//
// What may be said about coverage, and with what it does not go.
#include "session/coverage_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace raddle::session {
namespace {

using ::testing::HasSubstr;

Request request(const char* strategy = "random") {
  Request request;
  request.strategy = *search::find_strategy(strategy);
  request.plan.points = wire::Points::shared;
  request.plan.races = true;
  return request;
}

std::string refused(const CoverageTexts& texts, Request request = session::request()) {
  Status read = read_coverage_options(texts, request);
  return read ? "accepted" : read.error().message;
}

TEST(CoverageOptions, NothingSaidChangesNothing) {
  Request plain = request();
  plain.coverage = ObserveRuns::some;
  ASSERT_TRUE(read_coverage_options({}, plain));
  EXPECT_EQ(plain.coverage, ObserveRuns::some);
  EXPECT_FALSE(plain.saturation);
}

TEST(CoverageOptions, ARuleLooksAtAllRuns) {
  Request ruled = request();
  CoverageTexts texts;
  texts.stop_when.text = "saturated";
  texts.saturation_runs.text = "7";
  texts.saturation_part.text = "0";
  ASSERT_TRUE(read_coverage_options(texts, ruled));
  EXPECT_EQ(ruled.coverage, ObserveRuns::all);
  ASSERT_TRUE(ruled.saturation);
  EXPECT_EQ(ruled.saturation->runs, 7u);
  EXPECT_EQ(ruled.saturation->percent, 0u);
}

TEST(CoverageOptions, ARuleMayLookAtSomeRuns) {
  Request ruled = request();
  CoverageTexts texts;
  texts.stop_when.text = "saturated";
  texts.coverage.text = "some";
  ASSERT_TRUE(read_coverage_options(texts, ruled));
  EXPECT_EQ(ruled.coverage, ObserveRuns::some);
}

TEST(CoverageOptions, ErrorsNameTheOption) {
  CoverageTexts texts;
  texts.saturation_part = {"5", "SATURATION_PART"};
  texts.stop_when.by = "STOP_WHEN";
  EXPECT_EQ(refused(texts), "SATURATION_PART: it is for STOP_WHEN saturated");
  texts.stop_when.text = "saturated";
  texts.saturation_part.text = "101";
  EXPECT_THAT(refused(texts), HasSubstr("SATURATION_PART"));
  texts.saturation_part.text = "";
  texts.coverage = {"off", "COVERAGE"};
  EXPECT_EQ(refused(texts), "STOP_WHEN saturated and COVERAGE off exclude each other");
  texts.coverage.text = "much";
  EXPECT_THAT(refused(texts), HasSubstr("COVERAGE much: expected all, some or off"));
}

TEST(CoverageOptions, RunsHaveToShowAllAccesses) {
  CoverageTexts texts;
  texts.stop_when.text = "saturated";
  EXPECT_THAT(refused(texts, request("dpor")), HasSubstr("those of strategy dpor do not"));
  Request changed = request();
  changed.plan.races = false;
  EXPECT_THAT(refused(texts, changed), HasSubstr("races off"));
  changed = request();
  changed.plan.points = wire::Points::sync;
  EXPECT_THAT(refused(texts, changed), HasSubstr("points sync"));
}

}  // namespace
}  // namespace raddle::session
