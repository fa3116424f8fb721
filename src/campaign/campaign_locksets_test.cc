// SPDX-License-Identifier: Apache-2.0
//
// What campaigns over toy runs make of data that no lock protects.
#include <gtest/gtest.h>

#include "campaign/campaign.h"
#include "search/sampling.h"
#include "testing/fake_executor.h"
#include "testing/silent_listener.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys and strategies
using facts::Outcome;

using facts::FindingKind;
using wire::OpKind;

void add(ToyRun& run, ThreadId thread, OpKind kind, std::uint32_t variable, SiteId site) {
  wire::Event event{};
  event.thread = thread;
  event.kind = kind;
  event.where = wire::make_location(wire::Region::global, 0, 64 * variable);
  event.size = 4;
  event.site = site;
  run.events.push_back(event);
}

// Two threads write so many variables without a lock.
ToyRun careless(std::uint32_t variables, bool races = false) {
  ToyRun run = toy_exit(0);
  for (std::uint32_t i = 0; i < variables; ++i) {
    add(run, 1, OpKind::plain_write, i, 2 * i + 1);
    add(run, 2, OpKind::plain_write, i, 2 * i + 2);
  }
  if (races) {
    add(run, 2, OpKind::race, 0, 2);
    add(run, 1, OpKind::race_with, 0, 1);
  }
  return run;
}

class Unprotected : public ::testing::Test {
 protected:
  Unprotected() {
    options_.program.argv = {"./toy"};
    options_.program.directory = "/";
    options_.budget.schedules_max = 20;
    plan_options_.max_steps = 1000;
  }

  std::vector<facts::Finding> run(FakeExecutor::Program program, bool asked = true) {
    FakeExecutor executor(std::move(program));
    Trials trials(executor, "/", {}, nullptr);
    if (asked) trials.look_by({.locksets = true});
    Sampling search("random", plan_options_);
    CampaignOutcome outcome = Campaign(options_, search, trials, listener_, listener_).run();
    EXPECT_EQ(outcome.result.schedules, 20u) << "a warning does not end a campaign";
    std::erase_if(outcome.result.findings, [](const facts::Finding& finding) {
      return finding.kind != FindingKind::inconsistent_locks;
    });
    return outcome.result.findings;
  }

  CampaignOptions options_;
  PlanOptions plan_options_;
  Silent listener_;
};

TEST_F(Unprotected, IsAWarningForThoseWhoAsk) {
  auto program = [](const facts::Plan&, std::uint64_t) { return careless(1); };
  auto findings = run(program);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].schedule_index, 1u);
  EXPECT_NE(findings[0].message.find("has seen no race there in 20 runs"), std::string::npos)
      << findings[0].message;
  EXPECT_EQ(findings[0].message.find("not reproduced"), std::string::npos) << findings[0].message;
  EXPECT_TRUE(run(program, false).empty());
}

TEST_F(Unprotected, KnowsWhatTheRaceDetectorHasSeen) {
  auto findings = run([](const facts::Plan&, std::uint64_t) { return careless(1, true); });
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("has seen a race there, too"), std::string::npos)
      << findings[0].message;
}

TEST_F(Unprotected, MayShowInALaterRunOnly) {
  auto findings = run([](const facts::Plan& plan, std::uint64_t number) {
    return number >= 5 || is_recorded(plan.steering) ? careless(1) : toy_exit(0);
  });
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_GT(findings[0].schedule_index, 1u);
}

// Its plan cannot be followed later: by then what it has initialised is there.
TEST_F(Unprotected, OfRunsInPlaceIsNotToldByTheFirst) {
  struct InPlace : FakeExecutor, launch::InPlace {
    using FakeExecutor::FakeExecutor;
    Result<facts::Run> run_batch(facts::Batch&) override { return Error{"none was asked for", 1}; }
  };
  auto program = [](const facts::Plan& plan, std::uint64_t number) {
    ToyRun run = careless(1);
    run.choices.resize(number == 0 ? 2 : 1);
    return facts::rows_of<facts::Recorded>(plan.steering).size() == 2
               ? toy_exit(0)
               : run;  // it does not come again
  };
  InPlace executor(program);
  Trials trials(executor, "/", {}, nullptr);
  trials.look_by({.locksets = true});
  Sampling search("random", plan_options_);
  CampaignOutcome outcome = Campaign(options_, search, trials, listener_, listener_).run();
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_EQ(outcome.result.findings[0].schedule_index, 2u);
}

}  // namespace
}  // namespace raddle::campaign
