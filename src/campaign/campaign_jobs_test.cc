// SPDX-License-Identifier: Apache-2.0
//
// Campaigns that make several runs at a time: all of them come back to the search, whatever ends
// the campaign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/campaign.h"
#include "search/sampling.h"
#include "search/tree_search.h"
#include "testing/silent_listener.h"
#include "testing/toy_search.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys and strategies
using facts::Outcome;

using ::testing::HasSubstr;
using ::testing::SizeIs;

// So many executors, each with a program of its own.
class Jobs {
 public:
  Jobs(std::size_t count, const std::function<FakeExecutor::Program()>& program) {
    for (std::size_t i = 0; i < count; ++i) {
      executors_.push_back(std::make_unique<FakeExecutor>(program()));
      trials_.push_back(std::make_unique<Trials>(*executors_.back(), "/", Surroundings{}, nullptr));
      if (i > 0) others_.push_back(trials_.back().get());
    }
    options.program.argv = {"./toy"};
    options.program.directory = "/";
  }

  CampaignOutcome run(Search& search) {
    Silent listener;
    return Campaign(options, search, *trials_[0], listener, listener, others_).run();
  }
  std::size_t runs(std::size_t job) const { return executors_[job]->plans.size(); }

  CampaignOptions options;

 private:
  std::vector<std::unique_ptr<FakeExecutor>> executors_;
  std::vector<std::unique_ptr<Trials>> trials_;
  std::vector<Trials*> others_;
};

constexpr const char* kThree = "A: inc x; inc x | B: inc x; inc x | C: inc x; inc x";

TEST(CampaignJobs, MakeEachRunOnce) {
  Jobs jobs(3, [] { return FakeExecutor::Program(ToyTarget(kThree)); });
  TreeSearch search(toy_options(), {.ways = Ways::reversals});
  CampaignOutcome outcome = jobs.run(search);
  EXPECT_TRUE(outcome.result.complete);
  EXPECT_EQ(outcome.result.schedules, 90u);
  EXPECT_THAT(outcome.result.guarantee, HasSubstr("all 90"));
  for (std::size_t job = 0; job < 3; ++job) EXPECT_GT(jobs.runs(job), 5u) << "all took part";
}

TEST(CampaignJobs, KeepToTheNumberOfSchedules) {
  Jobs jobs(4, [] { return FakeExecutor::Program(quiet_toy); });
  jobs.options.budget.schedules_max = 10;
  Sampling search("random", toy_options());
  CampaignOutcome outcome = jobs.run(search);
  EXPECT_EQ(outcome.result.schedules, 10u);
}

TEST(CampaignJobs, WhatWasUnderWayAtAFindingIsLookedAt) {
  Jobs jobs(3, [] {
    return FakeExecutor::Program(
        ToyTarget("A: lock a; lock b; unlock b; unlock a | B: lock b; "
                  "lock a; unlock a; unlock b | C: inc x; inc x | "
                  "D: inc x; inc x"));
  });
  TreeSearch search(toy_options(), {.ways = Ways::reversals});
  CampaignOutcome outcome = jobs.run(search);
  EXPECT_THAT(outcome.result.findings, SizeIs(1));
  EXPECT_EQ(search.counts().runs, outcome.result.schedules) << "none is lost";
}

TEST(CampaignJobs, AFailureOfOneEndsAll) {
  int programs = 0;
  Jobs jobs(3, [&programs] {
    bool bad = ++programs == 2;
    return FakeExecutor::Program([bad](const facts::Plan&, std::uint64_t n) -> Result<ToyRun> {
      if (bad && n == 3) return Error{"the server is gone", kExitCannotRun};
      return toy_exit(0);
    });
  });
  Sampling search("random", toy_options());
  CampaignOutcome outcome = jobs.run(search);
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->message, "the server is gone");
}

}  // namespace
}  // namespace raddle::campaign
