// SPDX-License-Identifier: Apache-2.0
//
// Directed runs of campaigns over toy runs: when they are made, what becomes of a potential
// deadlock, and that the search is left alone.
#include <gtest/gtest.h>

#include "campaign/campaign.h"
#include "detect/lock_order.h"
#include "search/sampling.h"
#include "testing/fake_executor.h"
#include "testing/silent_listener.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys and strategies
using facts::Outcome;

using facts::FindingKind;
using wire::OpKind;

wire::Location lock(std::uint32_t number) {
  return wire::make_location(wire::Region::global, 0, 64 * number);
}

// Thread 1 takes the locks 0 and 1, thread 2 the other way round, one after the other.
ToyRun harmless() {
  ToyRun run = toy_exit(0);
  auto add = [&](ThreadId thread, OpKind kind, std::uint32_t number) {
    wire::Event event{};
    event.thread = thread;
    event.kind = kind;
    event.where = lock(number);
    event.site = static_cast<SiteId>(run.events.size() + 1);
    run.events.push_back(event);
  };
  for (ThreadId thread : {ThreadId{1}, ThreadId{2}}) {
    std::uint32_t first = thread - 1u;
    add(thread, OpKind::mutex_lock, first);
    add(thread, OpKind::mutex_lock, 1 - first);
    add(thread, OpKind::mutex_unlock, 1 - first);
    add(thread, OpKind::mutex_unlock, first);
  }
  run.choices = {{0, 1, OpKind::mutex_lock, 2}};
  return run;
}

ToyRun deadlocked() {
  ToyRun run = toy_verdict(wire::VerdictKind::deadlock, 3);
  for (ThreadId thread : {ThreadId{1}, ThreadId{2}}) {
    wire::ThreadReport report{};
    report.id = thread;
    report.in_cycle = 1;
    report.where = lock(thread == 1 ? 1 : 0);
    run.threads.push_back(report);
  }
  run.choices = {{0, 2, OpKind::mutex_lock, 2}};
  return run;
}

bool is_directed(const facts::Plan& plan) {
  return std::string(plan.header.policy) == "lock-cycle";
}

// Replays lead where the recorded choice leads.
bool leads_to_deadlock(const facts::Plan& plan) {
  auto choices = facts::rows_of<facts::Recorded>(plan.steering);
  return !choices.empty() && choices[0].picked == 2;
}

class DirectedRuns : public ::testing::Test {
 protected:
  DirectedRuns() {
    options_.program.argv = {"./toy"};
    options_.program.directory = "/";
    options_.budget.schedules_max = 20;
    plan_options_.max_steps = 1000;
  }

  CampaignOutcome run(FakeExecutor::Program program) {
    executor_ = std::make_unique<FakeExecutor>(std::move(program));
    Trials trials(*executor_, "/", {}, nullptr);
    Sampling search("random", plan_options_);
    return Campaign(options_, search, trials, listener_, listener_).run();
  }

  // With a search that has been through everything at its end.
  CampaignOutcome prove(FakeExecutor::Program program) {
    struct Proof : Sampling {
      using Sampling::Sampling;
      bool proves_all() const override { return true; }
    };
    executor_ = std::make_unique<FakeExecutor>(std::move(program));
    Trials trials(*executor_, "/", {}, nullptr);
    Proof search("random", plan_options_);
    return Campaign(options_, search, trials, listener_, listener_).run();
  }

  CampaignOptions options_;
  PlanOptions plan_options_;
  Silent listener_;
  std::unique_ptr<FakeExecutor> executor_;
};

TEST_F(DirectedRuns, ConfirmADeadlockWhenTheSearchIsOver) {
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) {
    return is_directed(plan) || leads_to_deadlock(plan) ? deadlocked() : harmless();
  });
  const facts::CampaignResult& result = outcome.result;
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::deadlock);
  EXPECT_EQ(result.findings[0].directed_run, 1u);
  EXPECT_EQ(result.findings[0].message, "") << "it replays";
  EXPECT_EQ(result.schedules, 20u);
  EXPECT_EQ(result.directed_runs, 1u);
  EXPECT_EQ(result.confirmed, 1u);
}

TEST_F(DirectedRuns, LeaveAWarningIfNoneDeadlocks) {
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return harmless(); });
  const facts::CampaignResult& result = outcome.result;
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::potential_deadlock);
  EXPECT_EQ(result.findings[0].schedule_index, 1u);
  EXPECT_EQ(result.findings[0].directed_run, 0u);
  EXPECT_EQ(result.findings[0].message, "; not confirmed by 5 directed runs");
  EXPECT_EQ(result.schedules, 20u) << "a warning does not end the campaign";
  EXPECT_EQ(result.directed_runs, 5u);
  EXPECT_EQ(result.confirmed, 0u);
}

// What is not looked for by them, other runs would show, too.
TEST_F(DirectedRuns, AreNotWarnedOfForAnythingElse) {
  auto careless = [] {
    ToyRun run = deadlocked();
    for (ThreadId thread : {1, 2}) {
      run.events.push_back(toy_access(wire::OpKind::plain_write, 90u + thread));
      run.events.back().thread = thread;
    }
    return run;
  };
  FakeExecutor executor([&](const facts::Plan& plan, std::uint64_t) {
    return is_directed(plan) || leads_to_deadlock(plan) ? careless() : harmless();
  });
  Trials trials(executor, "/", {}, nullptr);
  trials.look_by({.locksets = true});
  Sampling search("random", plan_options_);
  auto outcome = Campaign(options_, search, trials, listener_, listener_).run();
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::deadlock);
}

TEST_F(DirectedRuns, ASearchThatHasBeenThroughEverythingRefutes) {
  for (std::uint64_t runs : {20u, 500u}) {
    options_.budget.schedules_max = runs;
    auto outcome = prove([](const facts::Plan&, std::uint64_t) { return harmless(); });
    EXPECT_TRUE(outcome.result.findings.empty());
    EXPECT_EQ(outcome.result.directed_runs, runs > kSearchFirst ? detect::kDirectedMax : 0u);
  }
}

TEST_F(DirectedRuns, AreMadeWhenTheSearchHasHadItsTime) {
  options_.budget.schedules_max = 1000;
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) {
    return is_directed(plan) || leads_to_deadlock(plan) ? deadlocked() : harmless();
  });
  EXPECT_EQ(outcome.result.schedules, 1 + kSearchFirst);
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_EQ(outcome.result.findings[0].schedule_index, 1 + kSearchFirst);
}

TEST_F(DirectedRuns, AreNotMadeForWhatTheSearchHasFound) {
  options_.keep_going = true;
  auto outcome = run([](const facts::Plan& plan, std::uint64_t number) {
    return number == 7 || leads_to_deadlock(plan) ? deadlocked() : harmless();
  });
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::deadlock);
  EXPECT_EQ(outcome.result.findings[0].directed_run, 0u);
  EXPECT_EQ(outcome.result.directed_runs, 0u);
}

TEST_F(DirectedRuns, AreNotMadeAfterAnotherFinding) {
  auto outcome = run([](const facts::Plan&, std::uint64_t number) {
    return number < 7 ? harmless() : toy_verdict(wire::VerdictKind::assertion, 1);
  });
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::assertion);
  EXPECT_EQ(outcome.result.directed_runs, 0u);
}

TEST_F(DirectedRuns, MayFindSomethingElse) {
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) {
    ToyRun failed = toy_verdict(wire::VerdictKind::assertion, 1);
    failed.choices = {{0, 2, OpKind::mutex_lock, 2}};
    return is_directed(plan) || leads_to_deadlock(plan) ? failed : harmless();
  });
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::assertion);
  EXPECT_EQ(outcome.result.findings[0].directed_run, 1u);
  EXPECT_EQ(outcome.result.confirmed, 0u);
}

TEST_F(DirectedRuns, AFailureEndsTheCampaign) {
  auto outcome = run([](const facts::Plan& plan, std::uint64_t) -> Result<ToyRun> {
    if (is_directed(plan)) return Error{"the server is gone", kExitCannotRun};
    return harmless();
  });
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->message, "the server is gone");
  EXPECT_TRUE(outcome.result.findings.empty());
}

}  // namespace
}  // namespace raddle::campaign
