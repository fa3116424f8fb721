// SPDX-License-Identifier: Apache-2.0
//
// The exhaustive search driven over toy programs: counts, sites learned on the way, limits, and
// what it says. Tests only.
#include "search/dfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/fairness.h"
#include "testing/fake_executor.h"
#include "testing/toy_run.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// An executor's program that is a toy program.
class Toy {
 public:
  explicit Toy(std::string_view text)
      : runner_(std::make_shared<toy::Runner>(text)),
        fairness_(std::make_shared<policy::FairnessFilter>()) {}

  ToyRun operator()(const facts::Plan& plan, std::uint64_t) const {
    toy::Outcome outcome = runner_->run({plan.header, plan.steering, {fairness_.get()}});
    ToyRun run = toy_exit(0, static_cast<std::uint32_t>(outcome.steps.size()));
    run.choices = outcome.choices;
    run.fairness_cuts = outcome.cuts;
    if (outcome.end == toy::End::limit) run.verdict.kind = wire::VerdictKind::limit;
    if (outcome.end == toy::End::stopped) run.verdict.kind = wire::VerdictKind::divergence;
    return run;
  }

 private:
  std::shared_ptr<toy::Runner> runner_;
  std::shared_ptr<policy::FairnessFilter> fairness_;
};

auto ranks_of(const facts::Plan& plan) { return facts::rows_of<facts::Ranks>(plan.steering); }

constexpr const char* kThreePairs = "A: step; step | B: step; step | C: step; step";

TEST(DfsSearch, RunsAllInterleavingsAndSaysSo) {
  Dfs search(toy_options());
  auto plans = drive(search, 1000, Toy(kThreePairs));
  EXPECT_EQ(plans.size(), 90u);
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.guarantee(),
            "all 90 interleavings of synchronisation and atomics (no other access to shared data "
            "was seen) were run");
  for (const facts::Plan& plan : plans) EXPECT_EQ(plan.header.seed, plans[0].header.seed);
  EXPECT_TRUE(ranks_of(plans[0]).empty());
}

TEST(DfsSearch, IsNotCompleteOneRunBeforeTheEnd) {
  Dfs search(toy_options());
  drive(search, 89, Toy(kThreePairs));
  EXPECT_FALSE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("89 interleavings of"));
  EXPECT_THAT(search.guarantee(), HasSubstr("there are more"));
}

TEST(DfsSearch, ThePointsAreNamed) {
  PlanOptions options = toy_options();
  options.points = wire::Points::sync;
  Dfs sync(options);
  drive(sync, 10, Toy("A: step"));
  EXPECT_EQ(sync.guarantee(), "the only interleaving of synchronisation and atomics was run");
  options.points = wire::Points::all;
  Dfs all(options);
  drive(all, 10, Toy("A: step | B: step"));
  EXPECT_EQ(all.guarantee(),
            "all 2 interleavings of synchronisation, atomics and all plain accesses were run");
}

// The first run names a site, and so does a later one: twice the enumeration begins with the empty
// path, and only runs with all sites count.
TEST(DfsSearch, ANewSiteBeginsTheEnumerationAnew) {
  Toy toy(kThreePairs);
  Dfs search(toy_options());
  auto plans = drive(search, 1000, [&toy](const facts::Plan& plan, std::uint64_t number) {
    ToyRun run = toy(plan, number);
    run.events = {toy_access(wire::OpKind::plain_read, 7)};
    if (number >= 41) run.events.push_back(toy_access(wire::OpKind::plain_read, 9));
    return run;
  });
  EXPECT_EQ(plans.size(), 1u + 41 + 90) << "the first, 40 and the one with the new site, all";
  EXPECT_TRUE(ranks_of(plans[1]).empty());
  EXPECT_FALSE(ranks_of(plans[41]).empty());
  EXPECT_TRUE(ranks_of(plans[42]).empty());
  EXPECT_EQ(plans[41].sites->size(), 1u);
  EXPECT_EQ(plans[42].sites->size(), 2u);
  EXPECT_EQ(search.restarts(), 1u);
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.guarantee(),
            "all 90 interleavings of synchronisation, atomics and the shared accesses at 2 sites "
            "were run; begun anew 1 time as further sites were seen");
}

// With both sites known from the start there is one enumeration, the last of those above.
TEST(DfsSearch, KnownSitesAreNotLearnedAgain) {
  Toy toy(kThreePairs);
  Dfs search(toy_options());
  search.start_with([](const std::string& set) {
    EXPECT_EQ(set, kSharedSites);
    return std::vector<SiteId>{9, 7, 9};
  });
  auto plans = drive(search, 1000, [&toy](const facts::Plan& plan, std::uint64_t number) {
    ToyRun run = toy(plan, number);
    run.events = {toy_access(wire::OpKind::plain_read, 7)};
    if (number >= 41) run.events.push_back(toy_access(wire::OpKind::plain_read, 9));
    return run;
  });
  EXPECT_EQ(plans.size(), 90u);
  EXPECT_THAT(*plans[0].sites, ::testing::ElementsAre(7u, 9u));
  EXPECT_EQ(search.guarantee(),
            "all 90 interleavings of synchronisation, atomics and the shared accesses at 2 sites "
            "were run");
  ASSERT_EQ(search.learned_sites().size(), 1u);
  EXPECT_EQ(*search.learned_sites()[0].sites, *plans[0].sites);
}

TEST(DfsSearch, RunsThatWereCutMakeItIncomplete) {
  PlanOptions options = toy_options();
  options.max_steps = 3;
  Dfs search(options);
  // After three steps: A has made 0 to 2 of its two, so 1 + 3 + 3 orders. All are cut.
  auto plans = drive(search, 1000, Toy("A: step; step | B: step; step; step; step"));
  EXPECT_EQ(plans.size(), 7u);
  EXPECT_FALSE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("all 7 interleavings"));
  EXPECT_THAT(search.guarantee(), HasSubstr("7 of them up to a limit only"));
}

TEST(DfsSearch, WhatFairnessLeavesOutIsSaid) {
  Dfs search(toy_options());
  drive(search, 1000, Toy("A: spin f 1; step | B: step; store f 1"));
  EXPECT_TRUE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("does not give way"));
  Dfs without(toy_options());
  drive(without, 1000, Toy("A: load f | B: step; store f 1"));
  EXPECT_THAT(without.guarantee(), Not(HasSubstr("give way")));
}

TEST(DfsSearch, ARunThatEndsBeforeItsPathDoesNotCount) {
  Toy toy(kThreePairs);
  Dfs search(toy_options());
  drive(search, 1000, [&toy](const facts::Plan& plan, std::uint64_t number) {
    ToyRun run = toy(plan, number);
    if (number == 20) run.choices.resize(ranks_of(plan).size() - 1);
    return run;
  });
  EXPECT_LT(search.runs(), 90u);
  EXPECT_FALSE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("; 1 run left the path to be followed"));
  EXPECT_THAT(search.guarantee(), Not(HasSubstr("all ")));
}

// A program that is another one from some run on.
TEST(DfsSearch, ADivergedRunDoesNotCountAndTheSearchGoesOn) {
  Toy toy(kThreePairs);
  Toy other("A: step; step | B: step");
  Dfs search(toy_options());
  auto plans = drive(search, 1000, [&](const facts::Plan& plan, std::uint64_t number) {
    return number % 7 == 6 ? other(plan, number) : toy(plan, number);
  });
  EXPECT_LT(plans.size(), 90u);
  EXPECT_LT(search.runs(), plans.size());
  EXPECT_FALSE(search.complete());
  EXPECT_FALSE(search.next());
  EXPECT_THAT(search.guarantee(), HasSubstr("did not count"));
}

// 50 of the 90 are made elsewhere, by the same steps from path to path.
TEST(DfsSearch, RunsMadeElsewhereBelongToTheEnumeration) {
  Toy toy(kThreePairs);
  Dfs search(toy_options());
  drive(search, 10, toy);
  facts::Plan plan = *search.next();
  std::vector<wire::ChoiceRecord> ranks(ranks_of(plan).begin(), ranks_of(plan).end());
  auto given = static_cast<std::uint32_t>(ranks.size());
  ranks.resize(100);
  policy::DfsPath path{ranks.data(), given, false};
  for (int i = 0; i < 50; ++i) {
    plan.steering = facts::Ranks{{ranks.begin(), ranks.begin() + path.count}};
    ToyRun run = toy(plan, 0);
    auto made = static_cast<std::uint32_t>(run.choices.size());
    ASSERT_EQ(policy::dfs_next(path, run.choices.data(), made), policy::DfsStep::next);
  }
  search.add_stretch({.runs = 50}, policy::DfsStep::next, {ranks.data(), path.count}, path.wide);
  EXPECT_FALSE(search.complete());
  EXPECT_EQ(drive(search, 1000, toy).size(), 30u);
  EXPECT_TRUE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("all 90 interleavings"));
}

TEST(DfsSearch, WhatHappenedElsewhereIsSaid) {
  Dfs search(toy_options());
  search.next();
  search.add_stretch({.runs = 7, .cut = 2, .unfair = 1}, policy::DfsStep::exhausted, {}, false);
  EXPECT_FALSE(search.next());
  EXPECT_FALSE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("all 7 interleavings"));
  EXPECT_THAT(search.guarantee(), HasSubstr("2 of them up to a limit only"));
  EXPECT_THAT(search.guarantee(), HasSubstr("does not give way"));
}

TEST(DfsSearch, MoreCandidatesThanARecordHoldsMakeItIncomplete) {
  Dfs search(toy_options());
  auto plans = drive(search, 1000, Toy("A: choose 256"));
  EXPECT_EQ(plans.size(), 255u);
  EXPECT_FALSE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("only the first 255 were followed"));
  EXPECT_THAT(search.guarantee(), Not(HasSubstr("all 255")));
}

}  // namespace
}  // namespace raddle::search
