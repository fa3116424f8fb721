// SPDX-License-Identifier: Apache-2.0
//
// What surrounds a run: commands before and after it, and the livelock analysis of a run that was
// cut.
#include "campaign/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_executor.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys and strategies
using facts::Outcome;

using ::testing::HasSubstr;

Result<Trial> tried(const Surroundings& surroundings, FakeExecutor::Program program) {
  FakeExecutor executor(std::move(program));
  return Trials(executor, "/", surroundings, nullptr).run({});
}

TEST(Trials, CheckSeesTheOutputFileOfAGoodRun) {
  auto good = tried({"", "test \"$RADDLE_STDOUT\" = /dev/null", 0}, quiet_toy);
  ASSERT_TRUE(good);
  EXPECT_EQ(good->judgement.outcome, Outcome::ok);
  auto bad = tried({"", "echo wrong; exit 7", 0}, quiet_toy);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->judgement.kind, facts::FindingKind::check);
  EXPECT_EQ(bad->check_exit, 7);
  EXPECT_EQ(bad->check_output, "wrong\n");
  auto killed = tried({"", "kill -9 $$", 0}, quiet_toy);
  EXPECT_EQ(killed->check_exit, 128 + 9);
}

TEST(Trials, CheckIsNotAskedAboutARunThatFailed) {
  auto trial = tried({"", "exit 7", 0}, [](const facts::Plan&, std::uint64_t) {
    return toy_verdict(wire::VerdictKind::deadlock, 1);
  });
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->judgement.kind, facts::FindingKind::deadlock);
}

TEST(Trials, BeforeRunsFirstAndMustSucceed) {
  auto trial = tried({"echo no database; exit 1", "", 0}, [](const facts::Plan&, std::uint64_t) {
    ADD_FAILURE() << "the program was run";
    return toy_exit(0);
  });
  ASSERT_FALSE(trial);
  EXPECT_EQ(trial.error().exit_code, kExitUsage);
  EXPECT_THAT(trial.error().message, HasSubstr("no database"));
}

TEST(Trials, ACutRunThatOnlyRepeatsItselfIsALivelock) {
  auto endless = tried({}, [&](const facts::Plan& plan, std::uint64_t) {
    ToyRun run = toy_circles(1000);
    run.recurred = plan.header.recurrence_from != 0;
    return run;
  });
  ASSERT_TRUE(endless);
  EXPECT_EQ(endless->judgement.outcome, Outcome::finding);
  EXPECT_EQ(endless->judgement.kind, facts::FindingKind::livelock);
  EXPECT_EQ(endless->run.events.size(), 1000u);
  EXPECT_FALSE(endless->evidence.empty());
  auto counting = tried({}, [&](const facts::Plan&, std::uint64_t) {
    ToyRun run = toy_circles(1000);
    for (std::uint64_t i = 0; i < 1000; ++i) run.events[i].value = i;
    return run;
  });
  ASSERT_TRUE(counting);
  EXPECT_EQ(counting->judgement.outcome, Outcome::limited);
}

TEST(Trials, ACutRunThatNeverComesBackToAStateIsNoLivelock) {
  auto counting = tried({}, [&](const facts::Plan&, std::uint64_t) { return toy_circles(1000); });
  ASSERT_TRUE(counting);
  EXPECT_EQ(counting->judgement.outcome, Outcome::limited);
  EXPECT_FALSE(counting->about);
  EXPECT_TRUE(counting->evidence.empty());
}

TEST(Trials, CirclesThatAThreadLeavesAreAWarning) {
  auto in_step = tried({}, [&](const facts::Plan& plan, std::uint64_t number) {
    ToyRun run = number == 40 ? toy_exit(0) : toy_circles(1000);
    run.recurred = plan.header.recurrence_from != 0;
    return run;
  });
  ASSERT_TRUE(in_step);
  EXPECT_EQ(in_step->judgement.kind, facts::FindingKind::lockstep_livelock);
  EXPECT_TRUE(in_step->judgement.kind.is_warning());
  ASSERT_TRUE(in_step->about);
  EXPECT_EQ(in_step->about->kind, facts::FindingKind::lockstep_livelock);
}

TEST(Trials, TheSameCirclesAreTriedOnce) {
  FakeExecutor executor([](const facts::Plan& plan, std::uint64_t) {
    ToyRun run = toy_circles(1000);
    run.recurred = plan.header.recurrence_from != 0;
    return run;
  });
  Trials trials(executor, "/", {}, nullptr);
  EXPECT_EQ(trials.run({})->judgement.kind, facts::FindingKind::livelock);
  EXPECT_EQ(executor.plans.size(), 1u + kContinuations + 1);
  EXPECT_EQ(trials.run({})->judgement.kind, facts::FindingKind::livelock);
  EXPECT_EQ(executor.plans.size(), 1u + kContinuations + 2);
}

}  // namespace
}  // namespace raddle::campaign
