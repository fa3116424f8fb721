// SPDX-License-Identifier: Apache-2.0
//
// Plans of runs like a given one. Engine side.
#include "campaign/neighbours.h"

#include <gtest/gtest.h>

#include <set>

namespace raddle::campaign {
namespace {

struct Given {
  explicit Given(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      choices.push_back({static_cast<StepIndex>(i), static_cast<std::uint16_t>(i % 3),
                         wire::OpKind::mutex_lock, 2});
    run.choices = choices;
    run.steps = static_cast<std::uint32_t>(count);
    run.thread_count = 3;
    plan.steering = facts::Recorded{choices};
    plan.header.racing_only = 1;
    plan.header.races = 0;
    plan.header.seed = 77;
    plan.header.max_steps = 1000;
  }
  std::vector<wire::ChoiceRecord> choices;
  facts::Run run;
  facts::Plan plan;
};

auto choices_of(const facts::Plan& plan) { return facts::rows_of<facts::Choices>(plan.steering); }

bool is_beginning(const facts::Plan& plan, const Given& given) {
  auto choices = choices_of(plan);
  return choices.size() <= given.choices.size() &&
         std::equal(choices.begin(), choices.end(), given.choices.begin());
}

TEST(Neighbours, EverythingIsRecordedAndNothingIsStrict) {
  Given given(10);
  Neighbours neighbours(given.plan, given.run, 1);
  for (int i = 0; i < 100; ++i) {
    facts::Plan plan = neighbours.next();
    EXPECT_FALSE(is_recorded(plan.steering));
    EXPECT_EQ(plan.header.racing_only, 0);
    EXPECT_EQ(plan.header.races, 1);
    EXPECT_EQ(plan.header.stacks, 1);
    EXPECT_EQ(plan.header.max_steps, 1000u);
    EXPECT_TRUE(is_beginning(plan, given));
    neighbours.observe(i % 2 == 0);
  }
}

TEST(Neighbours, CutsGoBackFromTheEnd) {
  Given given(10);
  Neighbours neighbours(given.plan, given.run, 1);
  std::vector<std::size_t> cuts;
  for (int i = 0; i < 40; ++i) {
    facts::Plan plan = neighbours.next();
    if (std::string(plan.header.policy) != "prefix") continue;
    EXPECT_EQ(plan.header.seed, 77u) << "values that are drawn stay the same";
    cuts.push_back(choices_of(plan).size());
  }
  EXPECT_EQ(cuts, (std::vector<std::size_t>{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST(Neighbours, LongRunsAreCutInStrides) {
  Given given(100'000);
  Neighbours neighbours(given.plan, given.run, 1);
  std::size_t cuts = 0, last = given.choices.size();
  for (int i = 0; i < 400; ++i) {
    facts::Plan plan = neighbours.next();
    if (std::string(plan.header.policy) != "prefix") continue;
    EXPECT_LT(choices_of(plan).size(), last);
    last = choices_of(plan).size();
    ++cuts;
  }
  EXPECT_EQ(last, 0u);
  EXPECT_LT(cuts, 100u);
}

TEST(Neighbours, BranchesAndSamplesVary) {
  Given given(50);
  Neighbours neighbours(given.plan, given.run, 1);
  std::set<std::string> policies;
  std::set<std::uint64_t> seeds;
  for (int i = 0; i < 100; ++i) {
    facts::Plan plan = neighbours.next();
    policies.insert(plan.header.policy);
    if (plan.header.seed != 77) seeds.insert(plan.header.seed);
    neighbours.observe(false);
  }
  for (const char* policy : {"prefix", "random", "pct", "pos", "nonpreemptive", "round-robin"})
    EXPECT_TRUE(policies.contains(policy)) << policy;
  EXPECT_GT(seeds.size(), 30u);
}

TEST(Neighbours, ARunWithoutChoicesHasOnlySamples) {
  Given given(0);
  Neighbours neighbours(given.plan, given.run, 1);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(choices_of(neighbours.next()).empty());
}

}  // namespace
}  // namespace raddle::campaign
