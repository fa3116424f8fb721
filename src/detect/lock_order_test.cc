// SPDX-License-Identifier: Apache-2.0
//
// The plans of the runs that try a potential deadlock.
#include "detect/lock_order.h"

#include <gtest/gtest.h>

namespace raddle::detect {
namespace {

wire::Location lock(std::uint32_t number) {
  return wire::make_location(wire::Region::global, 0, 64 * number);
}

// Thread i + 1 holds lock i and wants the next one.
facts::Evidence circle(std::uint32_t size, SiteId site = 1) {
  facts::Evidence cycle;
  cycle.kind = facts::FindingKind::potential_deadlock;
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t which : {i, (i + 1) % size}) {
      wire::Event event{};
      event.thread = static_cast<ThreadId>(i + 1);
      event.where = lock(which);
      event.site = site;
      cycle.events.push_back(event);
    }
  return cycle;
}

TEST(LockOrderDetector, DirectedPlansGoAroundTheCircleAndThenAtRandom) {
  facts::Plan plan;
  plan.header.stacks = plan.header.systematic = 1;
  plan.header.max_steps = 77;
  plan.steering = facts::Recorded{{{3, 1, wire::OpKind::mutex_lock, 2}}};
  for (std::uint32_t size : {2u, 3u, 4u}) {
    std::vector<facts::Plan> plans = directed_plans(plan, circle(size));
    ASSERT_EQ(plans.size(), kDirectedMax);
    for (std::uint32_t attempt = 0; attempt < kDirectedMax; ++attempt) {
      const facts::Plan& directed = plans[attempt];
      EXPECT_STREQ(directed.header.policy, "lock-cycle");
      EXPECT_EQ(directed.header.max_steps, 77u);
      EXPECT_EQ(directed.header.stacks + directed.header.systematic, 0);
      EXPECT_EQ(directed.header.seed == 0, attempt < size);
      auto members = facts::rows_of<facts::LockCycle>(directed.steering);
      ASSERT_EQ(members.size(), size);
      EXPECT_EQ(directed.interest.place_count, 0u);
      for (std::uint32_t i = 0; i < size; ++i) {
        EXPECT_EQ(members[i].thread, (i + attempt) % size + 1);
        EXPECT_EQ(members[i].lock, lock((i + attempt) % size));
      }
    }
  }
}

}  // namespace
}  // namespace raddle::detect
