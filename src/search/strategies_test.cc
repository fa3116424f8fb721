// SPDX-License-Identifier: Apache-2.0
//
// The list of strategies against the list of policies.
#include "search/strategies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/registry.h"
#include "testing/fake_executor.h"
#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

TEST(Strategies, UseOnlyPoliciesThatExist) {
  for (const Strategy& strategy : strategies()) {
    auto search = strategy.make(toy_options());
    for (const facts::Plan& plan : drive(*search, 20, quiet_toy))
      EXPECT_NE(policy::find_policy(plan.header.policy), nullptr) << strategy.name;
    EXPECT_FALSE(search->guarantee().empty());
    EXPECT_FALSE(strategy.description.empty());
  }
}

TEST(Strategies, OfferEveryPolicyThatIsNoMechanism) {
  for (const policy::PolicyInfo& info : policy::policies())
    EXPECT_TRUE(info.mechanism || find_strategy(info.name)) << info.name;
}

// Gambit's Figure 3, and Figure 1 for partial-order reduction: six interleavings, one trace.
constexpr const char* kFigure = "A: store x; load x | B: store y; load y";

ToyTraces made_by(const char* strategy, std::optional<std::uint32_t> bound = std::nullopt) {
  PlanOptions options = toy_options();
  options.bound = bound;
  auto search = (*find_strategy(strategy))->make(options);
  ToyTraces made = traces_of(*search, kFigure);
  EXPECT_TRUE(is_complete(*search)) << strategy;
  return made;
}

TEST(Strategies, SystematicOnesRunWhatTheyStandFor) {
  EXPECT_EQ(made_by("dpor").threads.size(), 1u);
  EXPECT_EQ(made_by("best-first").threads.size(), 1u);
  for (const char* all : {"dfs", "context-bound", "random-walk", "preemption-bound"}) {
    std::vector<std::string> threads = made_by(all).threads;
    EXPECT_THAT(threads,
                ::testing::UnorderedElementsAre("AABB", "ABAB", "ABBA", "BABA", "BAAB", "BBAA"))
        << all;
  }
}

TEST(Strategies, BoundsAreKept) {
  for (const char* name : {"preemption-bound", "best-first"}) {
    EXPECT_EQ(made_by(name, 0).threads.size(), 2u) << name;
    EXPECT_EQ(made_by(name, 1).threads.size(), 4u) << name;
    EXPECT_EQ(made_by(name, 2).threads.size(), 6u) << name;
  }
  // A delay passes over one thread, once: at any of the choices of a run.
  EXPECT_THAT(made_by("delay-bound", 0).threads, ::testing::ElementsAre("AABB"));
  EXPECT_THAT(made_by("delay-bound", 1).threads,
              ::testing::UnorderedElementsAre("AABB", "ABBA", "BBAA"));
  EXPECT_EQ(made_by("delay-bound", 6).threads.size(), 6u);
}

TEST(Strategies, ContextBoundMakesRunsWithFewPreemptionsFirst) {
  EXPECT_THAT(made_by("context-bound").preemptions, ::testing::ElementsAre(0, 0, 1, 1, 2, 2));
}

TEST(Strategies, SuggestTheNearestName) {
  auto strategy = find_strategy("roundrobin");
  ASSERT_FALSE(strategy);
  EXPECT_EQ(strategy.error().exit_code, kExitUsage);
  EXPECT_THAT(strategy.error().message, HasSubstr("did you mean round-robin?"));
}

}  // namespace
}  // namespace raddle::search
