// SPDX-License-Identifier: Apache-2.0
//
// Violations of learned atomicity in campaigns over toy runs: told once, as warnings, beside what
// else a run shows; and not at all of runs that do not record every access.
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

// Thread 1 reads twice, with a write of thread 2 in between; then it reads at `last`.
ToyRun interleaved(ToyRun run = toy_exit(0), SiteId last = 3) {
  auto add = [&](ThreadId thread, OpKind kind, SiteId site) {
    run.events.push_back(toy_access(kind, site));
    run.events.back().thread = thread;
  };
  add(1, OpKind::plain_read, 1);
  add(2, OpKind::plain_write, 2);
  add(1, OpKind::plain_read, last);
  return run;
}

class Violations : public ::testing::Test {
 protected:
  Violations() {
    options_.program.argv = {"./toy"};
    options_.program.directory = "/";
    options_.budget.schedules_max = 20;
    plan_options_.max_steps = 1000;
  }

  CampaignOutcome run(FakeExecutor::Program program, std::function<bool(SiteId)> invariant) {
    executor_ = std::make_unique<FakeExecutor>(std::move(program));
    Trials trials(*executor_, "/", {}, nullptr);
    if (invariant) trials.look_by({.invariant = std::move(invariant)});
    Sampling search("random", plan_options_);
    return Campaign(options_, search, trials, listener_, listener_).run();
  }
  static bool third(SiteId site) { return site == 3; }

  // Tells violations apart by their I.
  struct Listener : Silent {
    facts::Finding describe(const Sighting& sighting) override {
      facts::Finding finding = Silent::describe(sighting);
      if (finding.kind == FindingKind::atomicity_violation)
        finding.identity = std::to_string(sighting.trial.about->events[2].site);
      return finding;
    }
    void on_seen_again(const std::string&) override { ++again; }
    int again = 0;
  };

  CampaignOptions options_;
  PlanOptions plan_options_;
  Listener listener_;
  std::unique_ptr<FakeExecutor> executor_;
};

TEST_F(Violations, AreToldOnceAndDoNotEndTheCampaign) {
  auto outcome = run([](const facts::Plan&, std::uint64_t) { return interleaved(); }, third);
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::atomicity_violation);
  EXPECT_EQ(outcome.result.findings[0].message, "") << "it replays, and the run ended well";
  EXPECT_EQ(outcome.result.findings[0].schedule_index, 1u);
  EXPECT_EQ(outcome.result.schedules, 20u);
  EXPECT_EQ(listener_.again, 19);
}

TEST_F(Violations, NothingIsToldOfWhatWasNotLearned) {
  auto program = [](const facts::Plan&, std::uint64_t) { return interleaved(); };
  EXPECT_TRUE(run(program, nullptr).result.findings.empty());
  EXPECT_TRUE(run(program, [](SiteId site) { return site == 1; }).result.findings.empty());
}

TEST_F(Violations, OfARunThatFailsAreToldWithIt) {
  auto outcome =
      run([](const facts::Plan&,
             std::uint64_t) { return interleaved(toy_verdict(wire::VerdictKind::assertion, 9)); },
          third);
  ASSERT_EQ(outcome.result.findings.size(), 2u);
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::assertion);
  EXPECT_EQ(outcome.result.findings[1].kind, FindingKind::atomicity_violation);
  EXPECT_EQ(outcome.result.findings[1].message, "; the run ended in `assertion`");
  EXPECT_EQ(outcome.result.schedules, 1u);
}

TEST_F(Violations, ThatDoNotComeAgainAreNoted) {
  auto outcome =
      run([](const facts::Plan& plan,
             std::uint64_t) { return is_recorded(plan.steering) ? toy_exit(0) : interleaved(); },
          third);
  ASSERT_EQ(outcome.result.findings.size(), 1u);
  EXPECT_NE(outcome.result.findings[0].message.find("not reproduced"), std::string::npos);
}

TEST_F(Violations, AreNotLookedForInRunsThatLeaveAccessesOut) {
  struct Sparse : Sampling {
    using Sampling::Sampling;
    std::optional<facts::Plan> next() override {
      auto plan = Sampling::next();
      if (plan) plan->header.racing_only = 1;
      return plan;
    }
  };
  FakeExecutor executor([](const facts::Plan&, std::uint64_t) { return interleaved(); });
  Trials trials(executor, "/", {}, nullptr);
  trials.look_by({.invariant = third});
  Sparse search("random", plan_options_);
  EXPECT_TRUE(
      Campaign(options_, search, trials, listener_, listener_).run().result.findings.empty());
}

// A race of two places, beside what the run shows otherwise.
ToyRun with_race(ToyRun run, SiteId place) {
  run.events.push_back(toy_access(OpKind::race, place));
  run.events.push_back(toy_access(OpKind::race_with, place + 1));
  return run;
}

TEST_F(Violations, AreToldAfterTheRacesOfTheirRun) {
  auto outcome =
      run([](const facts::Plan&, std::uint64_t) { return with_race(interleaved(), 50); }, third);
  ASSERT_EQ(outcome.result.findings.size(), 2u);
  EXPECT_EQ(outcome.result.findings[0].kind, FindingKind::data_race);
  EXPECT_EQ(outcome.result.findings[1].kind, FindingKind::atomicity_violation);
}

// Runs of a search that looks at less are made again when they show a race that is new.
TEST_F(Violations, OfRunsThatAreLookedAtAgainAreCounted) {
  struct Sparse : Sampling {
    using Sampling::Sampling;
    std::optional<facts::Plan> next() override {
      auto plan = Sampling::next();
      if (plan) plan->header.racing_only = 1;
      return plan;
    }
  };
  SiteId last = 0;
  FakeExecutor executor([&](const facts::Plan& plan, std::uint64_t number) {
    if (is_recorded(plan.steering)) return with_race(interleaved(), last);
    last = static_cast<SiteId>(100 + 2 * number);
    return with_race(toy_exit(0), last);
  });
  Trials trials(executor, "/", {}, nullptr);
  trials.look_by({.invariant = third});
  Sparse search("random", plan_options_);
  Campaign(options_, search, trials, listener_, listener_).run();
  EXPECT_EQ(listener_.again, 19);
}

TEST_F(Violations, AreNotLookedForWherePlainAccessesAreNoPoints) {
  plan_options_.points = wire::Points::sync;
  auto program = [](const facts::Plan&, std::uint64_t) { return interleaved(); };
  EXPECT_TRUE(run(program, third).result.findings.empty());
  plan_options_.points = wire::Points::shared;
  EXPECT_EQ(run(program, third).result.findings.size(), 1u);
  plan_options_.races = false;  // some reads are missing
  EXPECT_TRUE(run(program, third).result.findings.empty());
}

TEST_F(Violations, AreNotToldWithoutEnd) {
  auto outcome = run(
      [](const facts::Plan& plan, std::uint64_t number) {
        // A repetition shows what the run before it has.
        static std::uint64_t last = 0;
        if (!is_recorded(plan.steering)) last = number;
        return interleaved(toy_exit(0), static_cast<SiteId>(1000 + last));
      },
      [](SiteId site) { return site >= 1000; });
  EXPECT_LE(outcome.result.findings.size(), 32u);
  EXPECT_GT(outcome.result.findings.size(), 10u);
}

}  // namespace
}  // namespace raddle::campaign
