// SPDX-License-Identifier: Apache-2.0
//
// The list of strategies against the list of policies.
#include "search/strategies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/registry.h"
#include "testing/fake_executor.h"

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

TEST(Strategies, SuggestTheNearestName) {
  auto strategy = find_strategy("roundrobin");
  ASSERT_FALSE(strategy);
  EXPECT_EQ(strategy.error().exit_code, kExitUsage);
  EXPECT_THAT(strategy.error().message, HasSubstr("did you mean round-robin?"));
}

}  // namespace
}  // namespace raddle::search
