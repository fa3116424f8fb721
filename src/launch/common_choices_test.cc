// SPDX-License-Identifier: Apache-2.0
//
// Which plans begin alike. What must not be said to be alike matters most.
#include "launch/common_choices.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace raddle::launch {
namespace {

facts::Plan plan_of(const char* policy) {
  facts::Plan plan;
  std::strncpy(plan.header.policy, policy, wire::kPolicyNameMax);
  return plan;
}

facts::Plan dfs(std::initializer_list<std::uint16_t> ranks) {
  facts::Plan plan = plan_of("dfs");
  facts::Ranks given;
  for (std::uint16_t rank : ranks) {
    auto at = static_cast<StepIndex>(given.rows.size());
    given.rows.push_back({at, rank, wire::OpKind::none, 4});
  }
  plan.steering = given;
  return plan;
}

struct Deviation {
  std::uint32_t choice;
  std::uint16_t picked;
  std::uint64_t asleep = 0;
};

facts::Plan tree(std::initializer_list<Deviation> deviations) {
  facts::Plan plan = plan_of("tree");
  facts::Deviations given;
  for (const Deviation& d : deviations)
    given.rows.push_back({{d.choice, d.picked, wire::OpKind::none, 0}, d.asleep});
  plan.steering = given;
  return plan;
}

// What is found must not depend on which plan comes first.
std::optional<std::uint32_t> common(const facts::Plan& a, const facts::Plan& b) {
  EXPECT_EQ(common_choices(a, b), common_choices(b, a));
  return common_choices(a, b);
}

TEST(CommonChoices, OfRanksAreThoseBeforeTheFirstThatDiffers) {
  EXPECT_EQ(common(dfs({0, 1, 2}), dfs({0, 1, 3})), 2u);
  EXPECT_EQ(common(dfs({1}), dfs({2})), 0u);
  EXPECT_EQ(common(dfs({0, 1, 2}), dfs({0, 2, 2})), 1u);
}

TEST(CommonChoices, BehindThoseGivenRanksAreZero) {
  EXPECT_EQ(common(dfs({0, 1}), dfs({0, 1, 0, 0, 1})), 4u);
  EXPECT_EQ(common(dfs({0, 1}), dfs({0, 1, 0})), kAllChoices);
  EXPECT_EQ(common(dfs({}), dfs({})), kAllChoices);
  EXPECT_EQ(common(dfs({}), dfs({0, 0, 2})), 2u);
}

TEST(CommonChoices, OfDeviationsReachToTheFirstChoiceThatOneDecides) {
  EXPECT_EQ(common(tree({{3, 1}}), tree({{3, 2}})), 3u);
  EXPECT_EQ(common(tree({{3, 1}, {9, 1}}), tree({{3, 1}, {7, 1}})), 7u);
  EXPECT_EQ(common(tree({{3, 1}}), tree({{3, 1}, {9, 2}})), 9u);
  EXPECT_EQ(common(tree({}), tree({{0, 1}})), 0u);
  EXPECT_EQ(common(tree({{3, 1}}), tree({{3, 1}})), kAllChoices);
  // Who sleeps after a choice decides about those that follow.
  EXPECT_EQ(common(tree({{3, 1, 4}, {9, 1}}), tree({{3, 1, 2}, {9, 1}})), 3u);
}

// One plan for each kind of steering, with and without rows.
std::vector<facts::Plan> of_every_kind() {
  std::vector<wire::ChoiceRecord> choices = {{0, 1, wire::OpKind::none, 2}};
  std::vector<facts::Plan> plans;
  for (facts::Steering steering : std::initializer_list<facts::Steering>{
           facts::Unsteered{}, facts::Recorded{}, facts::Recorded{choices}, facts::Choices{},
           facts::Choices{choices}, facts::Ranks{}, facts::Ranks{choices}, facts::Deviations{},
           facts::Deviations{{{choices[0], 0}}}, facts::LockCycle{}, facts::LockCycle{{{}}}}) {
    plans.push_back(plan_of("any"));
    plans.back().steering = std::move(steering);
  }
  return plans;
}

TEST(CommonChoices, AreSomeOnlyForTwoOfAResumableKind) {
  for (const facts::Plan& a : of_every_kind())
    for (const facts::Plan& b : of_every_kind()) {
      auto kind = facts::kind_of(a.steering);
      bool some = kind == facts::kind_of(b.steering) &&
                  (kind == wire::SteeringKind::ranks || kind == wire::SteeringKind::deviations);
      EXPECT_EQ(is_resumable(a.steering) && kind == facts::kind_of(b.steering), some);
      EXPECT_EQ(common(a, b).has_value(), some)
          << a.steering.index() << " and " << b.steering.index();
      if (!some) continue;
      EXPECT_EQ(common(a, b), a.steering == b.steering ? kAllChoices : 0u);
    }
}

// What a policy is called says nothing about what it does.
TEST(CommonChoices, DoNotDependOnTheNameOfThePolicy) {
  facts::Plan named = dfs({0, 1}), other = dfs({0, 2});
  std::strcpy(named.header.policy, "another");
  std::strcpy(other.header.policy, "another");
  EXPECT_EQ(common(named, other), 1u);
  EXPECT_EQ(common(plan_of("dfs"), plan_of("dfs")), std::nullopt);
}

TEST(CommonChoices, AreNoneWhereSitesDiffer) {
  facts::Plan some = dfs({0}), same = dfs({0}), others = dfs({0});
  some.sites = std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{4, 9});
  same.sites = std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{4, 9});
  others.sites = std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{4});
  EXPECT_EQ(common(some, same), kAllChoices);
  EXPECT_EQ(common(some, others), std::nullopt);
  EXPECT_EQ(common(some, dfs({0})), std::nullopt);
}

// Every field of a plan that a run looks at before its first choice.
TEST(CommonChoices, AreNoneWhereTheRunsLookAtOtherThings) {
  const auto changes = std::to_array<void (*)(wire::Plan&)>({
      [](wire::Plan& plan) { plan.max_steps = 7; },
      [](wire::Plan& plan) { plan.spurious = 1; },
      [](wire::Plan& plan) { plan.points = wire::Points::all; },
      [](wire::Plan& plan) { plan.timers = wire::Timers::any; },
      [](wire::Plan& plan) { plan.stacks = 1; },
      [](wire::Plan& plan) { plan.races = 0; },
      [](wire::Plan& plan) { plan.stop_when_idle = 1; },
      [](wire::Plan& plan) { plan.racing_only = 1; },
  });
  for (std::size_t i = 0; i < changes.size(); ++i) {
    facts::Plan changed = dfs({0, 1});
    changes[i](changed.header);
    EXPECT_EQ(common(changed, dfs({0, 1})), std::nullopt) << i;
    EXPECT_FALSE(same_before_threads(changed, dfs({0, 1}))) << i;
  }
}

TEST(CommonChoices, AreNoneWhereOneRunIsNotRecordedForASearch) {
  facts::Plan recorded = tree({{3, 1}});
  recorded.header.systematic = 1;
  EXPECT_EQ(common(recorded, tree({{3, 1}})), std::nullopt);
  EXPECT_FALSE(same_before_threads(recorded, tree({{3, 1}})));
}

TEST(CommonChoices, AreNoneWhereOneRunExitsAtOnce) {
  facts::Plan sudden = tree({{3, 1}});
  sudden.sudden_exit = true;
  EXPECT_EQ(common(sudden, tree({{3, 1}})), std::nullopt);
  EXPECT_FALSE(same_before_threads(sudden, tree({{3, 1}})));
}

TEST(BeforeThreads, SitesMatterForSystematicSearches) {
  facts::Plan one = tree({}), other = tree({});
  one.sites = std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{4});
  EXPECT_TRUE(same_before_threads(one, other));
  one.header.systematic = other.header.systematic = 1;
  EXPECT_FALSE(same_before_threads(one, other));
  other.sites = one.sites;
  EXPECT_TRUE(same_before_threads(one, other));
}

TEST(BeforeThreads, PolicySeedSitesAndSteeringDoNotMatter) {
  facts::Plan pct = plan_of("pct");
  pct.header.seed = 5;
  pct.header.depth = 7;
  pct.header.expected_steps = 100;
  pct.steering = facts::Choices{{{0, 1, wire::OpKind::none, 2}}};
  pct.sites = std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{4});
  EXPECT_TRUE(same_before_threads(pct, plan_of("random")));
}

TEST(LeastUseful, IsTheOneWithoutWhichGapsGrowTheLeast) {
  const std::uint64_t even[] = {0, 100, 200, 300, 400};
  EXPECT_EQ(least_useful(even, 500), 1u);  // early: far from where searches come back
  const std::uint64_t close[] = {0, 100, 101, 400};
  EXPECT_EQ(least_useful(close, 500), 1u);
  const std::uint64_t two[] = {10, 20};
  EXPECT_EQ(least_useful(two, 20), 1u);
}

TEST(LeastUseful, LeavesGapsThatGrowWithTheDistanceFromTheEnd) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t now = 0; now < 1000; ++now) {
    times.push_back(now);
    if (times.size() > 8)
      times.erase(times.begin() + static_cast<std::ptrdiff_t>(least_useful(times, now + 1)));
  }
  EXPECT_EQ(times.front(), 0u);
  EXPECT_EQ(times.back(), 999u);
  // Half of them in the last tenth, but not all.
  EXPECT_GE(times[4], 900u);
  EXPECT_LE(times[1], 900u);
}

}  // namespace
}  // namespace raddle::launch
