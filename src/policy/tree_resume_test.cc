// SPDX-License-Identifier: Apache-2.0
//
// A tree policy whose plan is exchanged in the middle of a run goes on as one that had the new plan
// from the start. Tests only.
#include <gtest/gtest.h>

#include <vector>

#include "policy/tree.h"

namespace raddle::policy {
namespace {

wire::Deviation value_at(StepIndex choice, std::uint16_t picked, std::uint64_t asleep = 0) {
  return {{choice, picked, wire::OpKind::value, 3}, asleep};
}

struct Deltas {
  std::vector<wire::Deviation> deltas;
  wire::Plan plan;

  Deltas(std::initializer_list<wire::Deviation> list) : deltas(list) {}
  PlanView view() const {
    return {plan, wire::SteeringView::of<wire::SteeringKind::deviations>(deltas)};
  }
};

TEST(TreePolicy, GoesOnWithANewPlanFromTheChoicesMade) {
  Deltas before{value_at(1, 2)};
  Deltas after{value_at(1, 2), value_at(3, 1)};
  TreePolicy policy;
  policy.begin(before.view());
  EXPECT_EQ(policy.value(3, 0), 0u);
  EXPECT_EQ(policy.value(3, 1), 2u);
  EXPECT_EQ(policy.value(3, 2), 0u);
  policy.resume(after.view(), 3);
  EXPECT_EQ(policy.value(3, 3), 1u);
  EXPECT_EQ(policy.value(3, 4), 0u);
}

TEST(TreePolicy, FollowsADeltaAtTheVeryChoiceItIsResumedAt) {
  Deltas before{}, after{value_at(1, 2)};
  TreePolicy policy;
  policy.begin(before.view());
  EXPECT_EQ(policy.value(3, 0), 0u);
  policy.resume(after.view(), 1);
  EXPECT_EQ(policy.value(3, 1), 2u);
}

TEST(TreePolicy, KeepsTheSleepersWhenResumed) {
  Deltas before{value_at(0, 1, 6)};
  Deltas after{value_at(0, 1, 6), value_at(2, 1, 1)};
  TreePolicy policy;
  policy.begin(before.view());
  EXPECT_EQ(policy.value(3, 0), 1u);
  policy.resume(after.view(), 1);
  EXPECT_EQ(policy.asleep(), 6u);
  EXPECT_TRUE(policy.counts_steps());
  EXPECT_EQ(policy.value(3, 1), 0u);
  EXPECT_EQ(policy.value(3, 2), 1u);
  EXPECT_EQ(policy.asleep(), 1u);
}

}  // namespace
}  // namespace raddle::policy
