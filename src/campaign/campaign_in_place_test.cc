// SPDX-License-Identifier: Apache-2.0
//
// Campaigns whose executor makes many runs at once: how they count, what they make again, and what
// event schedules mean to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "campaign/campaign.h"
#include "search/sampling.h"
#include "testing/fake_executor.h"
#include "testing/silent_listener.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys and strategies
using facts::Outcome;

using facts::FindingKind;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using wire::BatchEnd;
using wire::VerdictKind;

// Makes the runs of a batch one by one, as the runtime does: stops at the first one of interest.
class BatchingExecutor : public FakeExecutor, public launch::InPlace {
 public:
  using FakeExecutor::FakeExecutor;
  Result<facts::Run> repeat(const facts::Plan& plan) override {
    ++repeated;
    return run(plan);
  }
  Result<facts::Run> run_batch(facts::Batch& batch) override {
    ++batches;
    wire::Batch& header = batch.header;
    for (;;) {
      facts::Plan plan = batch.plan;
      plan.header.seed = run_seed(header.seed, header.first + header.runs);
      auto made = run(plan);
      ++header.runs;
      header.steps += made->steps;
      header.longest = std::max(header.longest, made->steps);
      VerdictKind kind = made->verdict.kind;
      bool infeasible = kind == VerdictKind::schedule_deadlock;
      if (infeasible && header.ignore_infeasible != 0) {
        ++header.infeasible;
      } else if (kind == VerdictKind::none || kind == VerdictKind::exited) {
        header.end = BatchEnd::noteworthy;
        if (header.stop_at_good != 0) return made;
      } else {
        header.end = BatchEnd::failed;
        return made;
      }
      header.end = BatchEnd::count;
      if (header.runs == header.count) return made;
    }
  }

  int batches = 0, repeated = 0;
};

class InPlace : public ::testing::Test {
 protected:
  InPlace() {
    options_.program.argv = {"./toy"};
    options_.program.directory = "/";
    options_.budget.schedules_max = 5000;
    plan_options_.max_steps = 1000;
  }

  CampaignOutcome run(FakeExecutor::Program program) {
    executor_ = std::make_unique<BatchingExecutor>(std::move(program));
    Trials trials(*executor_, "/", {}, nullptr);
    Sampling search("random", plan_options_);
    return Campaign(options_, search, trials, silent_, silent_).run();
  }

  CampaignOptions options_;
  PlanOptions plan_options_;
  Silent silent_;
  std::unique_ptr<BatchingExecutor> executor_;
};

TEST_F(InPlace, MakesExactlyAsManyRunsAsAllowed) {
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  EXPECT_EQ(outcome.result.schedules, 5000u);
  EXPECT_EQ(outcome.result.steps, 50'000u);
  EXPECT_EQ(executor_->plans.size(), 5001u) << "one to look for nondeterminism";
  EXPECT_GT(executor_->batches, 4);
  EXPECT_LT(executor_->batches, 40);
}

TEST_F(InPlace, ForDetectorsThatNeedAllAccessesEveryRunIsLookedAt) {
  struct Counting : Silent {
    void on_trial(const facts::Plan&, const Trial&) override { ++trials; }
    std::uint64_t trials = 0;
  } listener;
  BatchingExecutor executor([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  Trials trials(executor, "/", {}, nullptr);
  trials.look_by({.locksets = true});
  Sampling search("random", plan_options_);
  auto outcome = Campaign(options_, search, trials, listener, listener).run();
  EXPECT_EQ(executor.batches, 0);
  EXPECT_EQ(listener.trials, 5000u);
  EXPECT_EQ(outcome.result.schedules, 5000u);
}

// The same failure, on other ways.
TEST_F(InPlace, AKnownFailureIsMadeAgainIfItsRunShowsANewViolation) {
  options_.keep_going = true;
  options_.budget.schedules_max = 100;
  auto fails_on_a_way = [](const facts::Plan& plan, std::uint64_t) {
    ToyRun run = toy_verdict(VerdictKind::assertion, 9);
    // By the run's seed, so that a repetition takes the same way.
    SiteId last = 100 + plan.header.seed % 4;
    for (auto [thread, kind, site] :
         {std::tuple<ThreadId, wire::OpKind, SiteId>{1, wire::OpKind::plain_read, 1},
          {2, wire::OpKind::plain_write, 2},
          {1, wire::OpKind::plain_read, last}}) {
      run.events.push_back(toy_access(kind, site));
      run.events.back().thread = thread;
    }
    return run;
  };
  struct Places : Silent {  // tells violations apart by their I
    facts::Finding describe(const Sighting& sighting) override {
      facts::Finding finding = Silent::describe(sighting);
      if (finding.kind == FindingKind::atomicity_violation)
        finding.identity = std::to_string(sighting.trial.about->events[2].site);
      return finding;
    }
  } listener;
  BatchingExecutor executor(fails_on_a_way);
  Trials trials(executor, "/", {}, nullptr);
  trials.look_by({.invariant = [](SiteId site) { return site >= 100; }});
  Sampling search("random", plan_options_);
  auto outcome = Campaign(options_, search, trials, listener, listener).run();
  EXPECT_THAT(outcome.result.findings, SizeIs(1 + 4)) << "the failure, and each violation";
  EXPECT_LT(executor.repeated, 20);
}

TEST_F(InPlace, EveryRunHasTheSeedOfItsNumber) {
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return toy_exit(0); });
  std::set<std::uint64_t> seeds;
  for (const facts::Plan& plan : executor_->plans) seeds.insert(plan.header.seed);
  EXPECT_THAT(seeds, SizeIs(5000));
  for (std::uint64_t i = 0; i < 5000; ++i) EXPECT_TRUE(seeds.contains(run_seed(1, i))) << i;
}

TEST_F(InPlace, AFailureInABatchIsMadeAgainApart) {
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) {
    bool bad = is_recorded(plan.steering) || plan.header.seed == run_seed(1, 1234);
    return bad ? toy_verdict(VerdictKind::deadlock, 3) : toy_exit(0);
  });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::deadlock);
  EXPECT_EQ(outcome.result.findings[0].schedule_index, 1235u);
  EXPECT_EQ(outcome.result.schedules, 1235u);
  EXPECT_TRUE(outcome.result.nondeterminism.empty());
}

TEST_F(InPlace, AFailureThatDoesNotShowAgainIsReportedWithAWord) {
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) {
    bool bad = !is_recorded(plan.steering) && plan.header.seed == run_seed(1, 1234);
    return bad ? toy_verdict(VerdictKind::assertion, 3) : toy_exit(0);
  });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_FALSE(outcome.result.nondeterminism.empty());
}

TEST_F(InPlace, KnownFailuresAreNotMadeAgain) {
  options_.keep_going = true;
  auto outcome = run([](const facts::Plan& plan, std::uint64_t number) {
    bool bad = is_recorded(plan.steering) || number % 10 == 9;
    return bad ? toy_verdict(VerdictKind::deadlock, 3) : toy_exit(0);
  });
  EXPECT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.schedules, 5000u);
  EXPECT_LT(executor_->repeated, 5);
}

TEST_F(InPlace, RunsThatCannotSatisfyTheScheduleDoNotCount) {
  options_.schedule = ScheduleUse::filter;
  auto outcome = run([](const facts::Plan&, std::uint64_t number) {
    return number % 2 == 0 ? toy_verdict(VerdictKind::schedule_deadlock, 3) : toy_exit(0);
  });
  EXPECT_THAT(outcome.result.findings, IsEmpty());
  EXPECT_EQ(outcome.result.schedules, 5000u);
  EXPECT_NEAR(static_cast<double>(outcome.result.infeasible), 2500, 5);
}

TEST_F(InPlace, AScheduleThatNoRunCanSatisfyIsAFinding) {
  options_.schedule = ScheduleUse::filter;
  auto always = [](const facts::Plan&, std::uint64_t) {
    return toy_verdict(VerdictKind::schedule_deadlock, 3);
  };
  auto outcome = run(always);
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::schedule_deadlock);
  EXPECT_EQ(outcome.result.infeasible, 5000u);

  options_.schedule = ScheduleUse::expect_infeasible;
  EXPECT_THAT(run(always).result.findings, IsEmpty());
}

TEST_F(InPlace, ARunThatSatisfiesAnInfeasibleScheduleIsAFinding) {
  options_.schedule = ScheduleUse::expect_infeasible;
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) {
    bool good = is_recorded(plan.steering) || plan.header.seed == run_seed(1, 777);
    return good ? toy_exit(0) : toy_verdict(VerdictKind::schedule_deadlock, 3);
  });
  ASSERT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::schedule_violation);
  EXPECT_EQ(outcome.result.schedules, 778u);
}

}  // namespace
}  // namespace raddle::campaign
