// SPDX-License-Identifier: Apache-2.0
#include "search/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "policy/registry.h"
#include "search/portfolio.h"
#include "search/strategies.h"
#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PlanOptions options() {
  PlanOptions result;
  result.seed = 42;
  result.max_steps = 1000;
  return result;
}

// Drives a search over a toy program for at most `runs` runs; returns the plans.
std::vector<facts::Plan> drive(Search& search, int runs, FakeExecutor::Program program) {
  FakeExecutor executor(std::move(program));
  for (int i = 0; i < runs; ++i) {
    auto plan = search.next();
    if (!plan) break;
    search.observe(*executor.run(*plan));
  }
  return executor.plans;
}

Result<ToyRun> quiet(const facts::Plan&, std::uint64_t) { return toy_exit(0); }

std::vector<std::string> policies_of(const std::vector<facts::Plan>& plans) {
  std::vector<std::string> names;
  for (const facts::Plan& plan : plans) names.emplace_back(plan.header.policy);
  return names;
}

TEST(SiteSet, CollectsSitesOfPlainAccessesOnly) {
  SiteSet set;
  EXPECT_EQ(set.sites(), nullptr);
  std::vector<wire::Event> events = {
      toy_access(wire::OpKind::plain_write, 9), toy_access(wire::OpKind::atomic_load, 5),
      toy_access(wire::OpKind::plain_read, 3), toy_access(wire::OpKind::plain_read, 0)};
  EXPECT_TRUE(set.add_from(events));
  EXPECT_THAT(*set.sites(), ElementsAre(3u, 9u));
  auto before = set.sites();
  EXPECT_FALSE(set.add_from(events));
  EXPECT_EQ(set.sites(), before) << "an unchanged set must keep its identity";
  events.push_back(toy_access(wire::OpKind::plain_read, 4));
  EXPECT_TRUE(set.add_from(events));
  EXPECT_THAT(*set.sites(), ElementsAre(3u, 4u, 9u));
  EXPECT_THAT(*before, ElementsAre(3u, 9u)) << "older plans keep their sites";
}

TEST(Sampling, FirstRunDoesNotPreemptAndTheRestSample) {
  Sampling search("random", options());
  auto plans = drive(search, 3, quiet);
  EXPECT_THAT(policies_of(plans), ElementsAre("nonpreemptive", "random", "random"));
}

TEST(Sampling, LearnsLengthThreadsAndSites) {
  Sampling search("pct", options());
  auto plans = drive(search, 3, [](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0, 20);
    run.thread_count = 3;
    // Two accesses that were no points in the learning run; one of them is a point later.
    std::uint8_t flags = number == 0 ? 0 : wire::kEventStep;
    run.events = {toy_access(wire::OpKind::plain_read, 7),
                  toy_access(wire::OpKind::plain_write, 8, flags)};
    return run;
  });
  EXPECT_EQ(plans[0].header.expected_steps, 0u);
  EXPECT_EQ(plans[0].sites, nullptr);
  EXPECT_EQ(plans[1].header.expected_steps, 22u) << "20 steps and two points to be";
  EXPECT_EQ(plans[1].header.expected_threads, 3u);
  EXPECT_THAT(*plans[1].sites, ElementsAre(7u, 8u));
  EXPECT_EQ(plans[2].sites, plans[1].sites);
}

TEST(Sampling, CarriesNoSitesUnlessPointsAreShared) {
  PlanOptions sync = options();
  sync.points = wire::Points::sync;
  Sampling search("random", sync);
  auto plans = drive(search, 2, [](const facts::Plan&, std::uint64_t) {
    ToyRun run = toy_exit(0);
    run.events = {toy_access(wire::OpKind::plain_read, 7)};
    return run;
  });
  EXPECT_EQ(plans[1].sites, nullptr);
  EXPECT_EQ(plans[1].header.expected_steps, 10u);
}

TEST(Sampling, SeedsDependOnCampaignSeedAndIndexOnly) {
  Sampling one("random", options());
  Sampling two("random", options());
  PlanOptions other_options = options();
  other_options.seed = 43;
  Sampling other("random", other_options);
  auto a = drive(one, 50, quiet);
  auto b = drive(two, 50, quiet);
  auto c = drive(other, 50, quiet);
  std::set<std::uint64_t> seeds;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(a[i].header.seed, b[i].header.seed);
    seeds.insert(a[i].header.seed);
    seeds.insert(c[i].header.seed);
  }
  EXPECT_EQ(seeds.size(), 100u);
}

TEST(Sampling, DeterministicPolicyEndsWhenNothingNewCanHappen) {
  Sampling search("round-robin", options());
  auto plans = drive(search, 100, quiet);
  EXPECT_THAT(policies_of(plans), ElementsAre("nonpreemptive", "round-robin", "round-robin"));
  EXPECT_THAT(search.guarantee(), HasSubstr("only schedule of round-robin"));
  EXPECT_TRUE(search.complete());
  // A program that asks for random numbers runs differently with every seed.
  Sampling seeded("round-robin", options());
  auto many = drive(seeded, 20, [](const facts::Plan& plan, std::uint64_t) {
    ToyRun run = toy_exit(0);
    wire::Event event = toy_access(wire::OpKind::atomic_load, 1);
    event.value = plan.header.seed;
    run.events = {event};
    return run;
  });
  EXPECT_EQ(many.size(), 20u);
  EXPECT_FALSE(seeded.complete());
}

TEST(Sampling, PctPromiseCountsOnlyRunsThatMetItsConditions) {
  PlanOptions shallow = options();
  shallow.depth = 2;
  Sampling search("pct", shallow);
  drive(search, 11, [](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0, 10);
    run.thread_count = 2;
    if (number == 3) run.fairness_cuts = 1;
    if (number == 4) run.steps = 50;  // longer than its plan expected
    return run;
  });
  // n = 2, k = 50: 1 / (2 * 50) = 0.01; ten runs of pct, two of them disqualified.
  EXPECT_THAT(search.guarantee(), HasSubstr("at least 0.01 (n = 2 threads, k = 50 steps); 8 such"));
}

TEST(Portfolio, LearnsTwiceThenRoundRobinThenRotates) {
  Portfolio search(options());
  auto plans = drive(search, 15, quiet);
  EXPECT_THAT(policies_of(plans),
              ElementsAre("nonpreemptive", "nonpreemptive", "round-robin", "random", "pct", "pos",
                          "random", "pct", "pos", "random", "pct", "pos", "random", "pct", "pos"));
  EXPECT_EQ(plans[4].header.depth, 2u);
  EXPECT_EQ(plans[7].header.depth, 3u);
}

TEST(Portfolio, RepeatsRoundRobinWhenSitesAppear) {
  Portfolio search(options());
  auto plans = drive(search, 12, [](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0);
    if (number >= 4) run.events = {toy_access(wire::OpKind::plain_read, 7)};
    return run;
  });
  auto names = policies_of(plans);
  EXPECT_EQ(names[2], "round-robin");
  EXPECT_EQ(names[9], "round-robin");
  EXPECT_EQ(std::count(names.begin(), names.end(), "round-robin"), 2);
}

TEST(Strategies, UseOnlyPoliciesThatExist) {
  for (const Strategy& strategy : strategies()) {
    auto search = strategy.make(options());
    for (const facts::Plan& plan : drive(*search, 20, quiet))
      EXPECT_NE(policy::find_policy(plan.header.policy), nullptr) << strategy.name;
    EXPECT_FALSE(search->guarantee().empty());
    EXPECT_FALSE(strategy.description.empty());
  }
}

TEST(Strategies, OfferEveryPolicyThatIsNoMechanism) {
  for (const policy::PolicyInfo& info : policy::policies())
    EXPECT_TRUE(info.mechanism || find_strategy(info.name)) << info.name;
}

TEST(Strategies, SuggestTheNearestName) {
  auto strategy = find_strategy("roundrobin");
  ASSERT_FALSE(strategy);
  EXPECT_EQ(strategy.error().exit_code, kExitUsage);
  EXPECT_THAT(strategy.error().message, HasSubstr("did you mean round-robin?"));
}

}  // namespace
}  // namespace raddle::search
