// SPDX-License-Identifier: Apache-2.0
//
// The command line of `raddle test` as users and scripts type it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/progress.h"
#include "cli/test_options.h"

namespace raddle::cli {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TestOptions parsed(const Arguments& arguments) {
  auto result = parse_test_options(arguments);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result && *result ? **result : TestOptions();
}

std::string refused(const Arguments& arguments) {
  auto result = parse_test_options(arguments);
  if (result) return "accepted";
  EXPECT_EQ(result.error().exit_code, kExitUsage);
  return result.error().message;
}

TEST(TestOptions, HaveTheDocumentedDefaults) {
  TestOptions options = parsed({"./bank"});
  EXPECT_THAT(options.program, ElementsAre("./bank"));
  EXPECT_EQ(options.request.strategy->name, "auto");
  EXPECT_EQ(options.request.plan.seed, 1u);
  EXPECT_EQ(options.request.plan.depth, 3u);
  EXPECT_EQ(options.request.plan.points, wire::Points::shared);
  EXPECT_EQ(options.request.plan.timers, wire::Timers::idle);
  EXPECT_EQ(options.request.surroundings.expect_exit, 0);
  EXPECT_EQ(options.request.campaign.budget.schedules_max, 10'000u);
  EXPECT_EQ(options.request.campaign.budget.time_max, milliseconds(10'000));
  EXPECT_EQ(options.request.run_timeout, milliseconds(10'000));
  EXPECT_EQ(options.request.out, ".raddle");
  EXPECT_FALSE(options.request.campaign.keep_going);
  EXPECT_FALSE(options.request.plan.stop_when_idle);
}

TEST(TestOptions, OneLimitReplacesBothDefaults) {
  EXPECT_EQ(parsed({"--schedules", "5", "p"}).request.campaign.budget.time_max.count(), 0);
  EXPECT_EQ(parsed({"--time=2m", "p"}).request.campaign.budget.schedules_max, 0u);
  EXPECT_EQ(parsed({"--time=2m", "p"}).request.campaign.budget.time_max, milliseconds(120'000));
}

TEST(TestOptions, StopWhenIdleGoesIntoThePlan) {
  EXPECT_TRUE(parsed({"--stop-when-idle", "p"}).request.plan.stop_when_idle);
}

TEST(TestOptions, LeaveTheProgramsArgumentsAlone) {
  EXPECT_THAT(parsed({"--seed", "7", "./p", "--seed", "8", "--", "-h"}).program,
              ElementsAre("./p", "--seed", "8", "--", "-h"));
  EXPECT_THAT(parsed({"--quiet", "--", "--odd-name", "--help"}).program,
              ElementsAre("--odd-name", "--help"));
  EXPECT_EQ(parsed({"--seed", "7", "./p", "--seed", "8"}).request.plan.seed, 7u);
}

TEST(TestOptions, AcceptADashAsAValue) { EXPECT_EQ(parsed({"--json", "-", "p"}).json, "-"); }

TEST(TestOptions, RejectUnknownOptionsWithAHint) {
  EXPECT_THAT(refused({"--strateyg", "pct", "p"}), HasSubstr("did you mean --strategy?"));
  EXPECT_THAT(refused({"--keepgoing", "p"}), HasSubstr("did you mean --keep-going?"));
  EXPECT_THAT(refused({"--nothing-like-it", "1", "p"}), HasSubstr("unknown option"));
  EXPECT_THAT(refused({"--dump-event", "f", "p"}), ::testing::Not(HasSubstr("dump-events")));
}

TEST(TestOptions, RejectBadValuesInWords) {
  EXPECT_THAT(refused({"--strategy", "pcr", "p"}), HasSubstr("did you mean pct?"));
  EXPECT_THAT(refused({"--schedules", "0", "p"}), HasSubstr("--schedules: `0`"));
  EXPECT_THAT(refused({"--schedules", "-3", "p"}), HasSubstr("--schedules: `-3`"));
  EXPECT_THAT(refused({"--time", "soon", "p"}), HasSubstr("duration"));
  EXPECT_THAT(refused({"--points", "synk", "p"}), HasSubstr("did you mean sync?"));
  EXPECT_THAT(refused({"--timers", "x", "p"}), HasSubstr("idle, any"));
  EXPECT_THAT(refused({"--expect-exit", "256", "p"}), HasSubstr("0 to 255"));
  EXPECT_THAT(refused({"--seed"}), HasSubstr("needs a value"));
  EXPECT_THAT(refused({"--quiet=yes", "p"}), HasSubstr("takes no value"));
  EXPECT_THAT(refused({}), HasSubstr("which program?"));
  EXPECT_THAT(refused({"--quiet", "--"}), HasSubstr("which program?"));
}

TEST(ProgressText, CountsAndEstimates) {
  EXPECT_EQ(group_digits(7), "7");
  EXPECT_EQ(group_digits(1234567), "1,234,567");
  campaign::Progress progress{3000, 87, 0, 2.0};
  EXPECT_EQ(progress_text(progress, {0, milliseconds(10'000)}),
            "3,000 runs, 1,500/s, 87 behaviours, 8 s left");
  EXPECT_EQ(progress_text(progress, {6000, milliseconds(10'000)}),
            "3,000 runs, 1,500/s, 87 behaviours, 2 s left");
  EXPECT_EQ(progress_text(progress, {}), "3,000 runs, 1,500/s, 87 behaviours");
}

}  // namespace
}  // namespace raddle::cli
