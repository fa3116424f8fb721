// SPDX-License-Identifier: Apache-2.0
//
// Campaigns over toy runs: when they stop, what they keep, what they say.
#include "campaign/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "search/sampling.h"
#include "testing/fake_executor.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys and strategies
using facts::Outcome;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using wire::VerdictKind;

// Keeps findings in memory; two are the same bug if kind and site agree.
class Notebook : public Desk, public Listener {
 public:
  void on_note(const std::string& note) override { notes.push_back(note); }
  void on_trial(const facts::Plan&, const Trial&) override { ++trials; }
  void on_progress(const Progress& progress) override { last = progress; }
  void on_finding(const facts::Finding&, const std::string& signature) override {
    times[signature] = 1;
  }
  void on_seen_again(const std::string& signature) override { ++times[signature]; }
  facts::Finding describe(const Sighting& sighting) override {
    facts::Finding finding;
    finding.kind = sighting.trial.judgement.kind;
    finding.message = "toy" + sighting.trial.check_output;
    if (!sighting.trial.run.events.empty())
      finding.identity = std::to_string(sighting.trial.run.events[0].site);
    return finding;
  }
  Status keep(facts::Finding& finding, const Sighting& sighting,
              const facts::Schedule& schedule) override {
    if (disk_full) return Error{"no space left", kExitUsage};
    finding.id = static_cast<int>(schedules.size()) + 1;
    schedules.push_back(schedule);
    outputs.push_back(sighting.output);
    return Done{};
  }
  std::string place(SiteId site, std::span<const wire::Module>) override {
    return "toy.cc:" + std::to_string(site);
  }

  std::vector<std::string> notes;
  std::vector<facts::Schedule> schedules;
  std::vector<std::string> outputs;
  std::map<std::string, int> times;  // that a finding was seen
  Progress last;
  int trials = 0;
  bool disk_full = false;
};

class CampaignTest : public ::testing::Test {
 protected:
  CampaignTest() {
    options_.program.argv = {"./toy"};
    options_.program.directory = "/";
    options_.budget.schedules_max = 20;
    plan_options_.max_steps = 1000;
  }

  CampaignOutcome run(FakeExecutor::Program program) {
    executor_ = std::make_unique<FakeExecutor>(std::move(program));
    Trials trials(*executor_, "/", surroundings_, options_.interrupts);
    Sampling search("random", plan_options_);
    return Campaign(options_, search, trials, notebook_, notebook_).run();
  }

  CampaignOptions options_;
  PlanOptions plan_options_;
  Surroundings surroundings_;
  Notebook notebook_;
  std::unique_ptr<FakeExecutor> executor_;
};

TEST_F(CampaignTest, StopsAtTheNumberOfSchedules) {
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  EXPECT_EQ(outcome.result.schedules, 20u);
  EXPECT_EQ(outcome.result.steps, 200u);
  EXPECT_EQ(outcome.result.behaviours, 1u);
  EXPECT_THAT(outcome.result.findings, IsEmpty());
  EXPECT_EQ(executor_->plans.size(), 21u) << "the first plan runs twice";
  EXPECT_EQ(executor_->plans[0].header.seed, executor_->plans[1].header.seed);
  EXPECT_FALSE(outcome.failure);
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_EQ(notebook_.last.runs, 20u);
}

TEST_F(CampaignTest, StopsAtTheTime) {
  options_.budget.schedules_max = 0;
  options_.budget.time_max = std::chrono::milliseconds(30);
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  EXPECT_GE(outcome.result.seconds, 0.03);
  EXPECT_LT(outcome.result.seconds, 5);
}

TEST_F(CampaignTest, StopsWhenItHasDoneEnoughAndSaysWhy) {
  options_.enough = [this] { return notebook_.trials >= 7 ? "seven are enough" : ""; };
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  EXPECT_EQ(outcome.result.schedules, 7u);
  EXPECT_EQ(outcome.result.stopped, "seven are enough");
  EXPECT_EQ(executor_->plans.size(), 8u) << "repetitions are no trials";
}

TEST_F(CampaignTest, StopsAtTheFirstFindingAndReplaysIt) {
  auto outcome = run([](const facts::Plan& plan, std::uint64_t number) {
    if (number < 5 && !is_recorded(plan.steering)) return toy_exit(0);
    ToyRun run = toy_verdict(VerdictKind::assertion, 3);
    run.choices = {{1, 2, wire::OpKind::mutex_lock, 2}};
    return run;
  });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.findings[0].schedule_index, 5u);
  EXPECT_EQ(outcome.result.findings[0].message, "toy");
  const facts::Plan& last = executor_->plans.back();
  EXPECT_TRUE(is_recorded(last.steering));
  EXPECT_STREQ(last.header.policy, "replay");
  EXPECT_EQ(last.header.seed, executor_->plans[executor_->plans.size() - 2].header.seed);
  ASSERT_THAT(facts::rows_of<facts::Recorded>(last.steering), SizeIs(1));
  ASSERT_THAT(notebook_.schedules, SizeIs(1));
  EXPECT_EQ(facts::Steering(facts::Recorded{notebook_.schedules[0].choices}), last.steering);
  EXPECT_EQ(notebook_.schedules[0].kind, "assertion");
  EXPECT_EQ(notebook_.outputs[0], "output");
  EXPECT_THAT(notebook_.notes, IsEmpty());
}

TEST_F(CampaignTest, SaysWhenAFindingDoesNotReplay) {
  auto outcome = run([](const facts::Plan& plan, std::uint64_t number) {
    return number < 5 || is_recorded(plan.steering) ? toy_exit(0)
                                                    : toy_verdict(VerdictKind::crash, 3);
  });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_THAT(outcome.result.findings[0].message, HasSubstr("not reproduced"));
  EXPECT_THAT(outcome.result.nondeterminism, HasSubstr("ended normally"));
  EXPECT_THAT(notebook_.notes, SizeIs(1));
}

TEST_F(CampaignTest, KeepsGoingAndKeepsEachBugOnce) {
  options_.keep_going = true;
  auto outcome = run([](const facts::Plan& plan, std::uint64_t number) {
    // Two bugs at sites 1 and 2; a replay shows the one of the run before it.
    return toy_verdict(VerdictKind::assertion,
                       static_cast<SiteId>(1 + (number - is_recorded(plan.steering)) / 7 % 2));
  });
  EXPECT_THAT(outcome.result.findings, SizeIs(2));
  EXPECT_EQ(outcome.result.schedules, 20u);
  EXPECT_THAT(notebook_.schedules, SizeIs(2));
  ASSERT_THAT(notebook_.times, SizeIs(2));
  EXPECT_EQ(notebook_.times["assertion 1"] + notebook_.times["assertion 2"], 20);
}

TEST_F(CampaignTest, CountsHowOftenARunEndedInTheSameLivelock) {
  options_.keep_going = true;
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) {
    ToyRun run = toy_circles(1000);
    run.recurred = plan.header.recurrence_from != 0;
    return run;
  });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.findings[0].kind, facts::FindingKind::livelock);
  EXPECT_THAT(notebook_.times, ::testing::ElementsAre(::testing::Pair("livelock 5", 20)));
}

TEST_F(CampaignTest, JudgesByTheExpectedExitCode) {
  surroundings_.expect_exit = 3;
  EXPECT_THAT(run([](const facts::Plan&, std::uint64_t) { return toy_exit(3); }).result.findings,
              IsEmpty());
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.findings[0].kind, facts::FindingKind::exit_code);
}

TEST_F(CampaignTest, CountsRunsCutByTheStepLimitApart) {
  auto outcome = run([](const facts::Plan&, std::uint64_t number) {
    if (number % 2 == 0) return toy_exit(0);
    return toy_verdict(VerdictKind::limit, 1);
  });
  EXPECT_EQ(outcome.result.schedules + outcome.result.limited, 20u);
  EXPECT_GT(outcome.result.limited, 5u);
  EXPECT_THAT(outcome.result.findings, IsEmpty());
}

TEST_F(CampaignTest, ARunThatLeftItsScheduleDoesNotCountAndIsNamed) {
  auto outcome = run([](const facts::Plan&, std::uint64_t number) {
    if (number % 3 != 2) return toy_exit(0);
    ToyRun run = toy_verdict(VerdictKind::divergence, 1);
    run.verdict.step = 4;
    snprintf(run.verdict.message, sizeof run.verdict.message, "too few candidates");
    return run;
  });
  EXPECT_LT(outcome.result.schedules, 15u);
  EXPECT_EQ(executor_->plans.size(), 21u);
  EXPECT_THAT(outcome.result.findings, IsEmpty());
  EXPECT_EQ(outcome.result.nondeterminism, "a run left the schedule at step 4: too few candidates");
  EXPECT_THAT(notebook_.notes, SizeIs(1)) << "once is enough";
}

TEST_F(CampaignTest, NamesTheFirstDifferenceOfTwoEqualPlans) {
  auto outcome = run([](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0);
    run.events = {toy_access(wire::OpKind::atomic_load, 4),
                  toy_access(wire::OpKind::atomic_store, 5)};
    run.events[1].step = 1;
    run.events[1].value = number;
    return run;
  });
  EXPECT_THAT(outcome.result.nondeterminism,
              HasSubstr("first at step 1: T0 atomic-store at toy.cc:5, the second time"));
  EXPECT_THAT(notebook_.notes, SizeIs(1));
  EXPECT_EQ(outcome.result.schedules, 20u) << "the campaign goes on";
}

TEST_F(CampaignTest, EndsAfterTheCurrentRunWhenInterrupted) {
  volatile std::sig_atomic_t interrupts = 0;
  options_.interrupts = &interrupts;
  auto outcome = run([&interrupts](const facts::Plan&, std::uint64_t number) {
    if (number == 7) interrupts = 1;
    return toy_exit(0);
  });
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.result.schedules, 7u);
  EXPECT_FALSE(outcome.failure);
}

TEST_F(CampaignTest, AFailureKeepsWhatWasFound) {
  options_.keep_going = true;
  auto outcome = run([](const facts::Plan&, std::uint64_t number) -> Result<ToyRun> {
    if (number == 9) return Error{"the server is gone", kExitCannotRun};
    return toy_verdict(VerdictKind::deadlock, 1);
  });
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->message, "the server is gone");
  EXPECT_THAT(outcome.result.findings, SizeIs(1));
}

TEST_F(CampaignTest, AFullDiskIsAFailureButTheFindingIsReported) {
  notebook_.disk_full = true;
  auto outcome =
      run([](const facts::Plan&, std::uint64_t) { return toy_verdict(VerdictKind::deadlock, 1); });
  ASSERT_TRUE(outcome.failure);
  EXPECT_THAT(outcome.result.findings, SizeIs(1));
}

TEST_F(CampaignTest, UnsupportedProgramsEndTheCampaign) {
  auto outcome = run([](const facts::Plan&, std::uint64_t) {
    ToyRun run = toy_verdict(VerdictKind::unsupported, 1);
    snprintf(run.verdict.message, sizeof run.verdict.message, "ptrace");
    return run;
  });
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->exit_code, kExitCannotRun);
  EXPECT_THAT(outcome.failure->message, HasSubstr("ptrace"));
}

TEST_F(CampaignTest, CheckCommandJudgesRunsThatEndedWell) {
  surroundings_.check = "test -e \"$RADDLE_STDOUT\" && echo wrong sum && exit 7";
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.findings[0].kind, facts::FindingKind::check);
  EXPECT_THAT(outcome.result.findings[0].message, HasSubstr("wrong sum"));
}

TEST_F(CampaignTest, AFailingBeforeCommandIsAnError) {
  surroundings_.before = "echo no database; exit 1";
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->exit_code, kExitUsage);
  EXPECT_THAT(outcome.failure->message, HasSubstr("no database"));
  EXPECT_THAT(executor_->plans, IsEmpty());
}

}  // namespace
}  // namespace raddle::campaign
