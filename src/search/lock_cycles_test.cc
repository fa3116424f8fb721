// SPDX-License-Identifier: Apache-2.0
//
// Which potential deadlocks are tried when, and by which plans.
#include "search/lock_cycles.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/fake_executor.h"

namespace raddle::search {
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

facts::Run deadlock_of(std::initializer_list<std::uint32_t> locks) {
  facts::Run run;
  for (std::uint32_t number : locks) {
    wire::ThreadReport report{};
    report.in_cycle = 1;
    report.where = lock(number);
    run.threads.push_back(report);
  }
  wire::ThreadReport bystander{};
  bystander.where = lock(9);
  run.threads.push_back(bystander);
  return run;
}

TEST(LockCycles, WaitForTheSearchOrForItsEnd) {
  LockCycles cycles;
  cycles.suspect({}, {}, circle(2), 5);
  EXPECT_FALSE(cycles.next(5 + kSearchFirst - 1, false));
  auto due = cycles.next(5 + kSearchFirst, false);
  ASSERT_TRUE(due);
  EXPECT_EQ(due->run, 5u);
  EXPECT_FALSE(cycles.next(1000, true)) << "each is tried once";
  cycles.suspect({}, {}, circle(3), 6);
  EXPECT_TRUE(cycles.next(6, true));
}

TEST(LockCycles, AreKnownAgainAndBounded) {
  LockCycles cycles;
  for (int turn = 0; turn < 3; ++turn) cycles.suspect({}, {}, circle(2), 1);
  EXPECT_TRUE(cycles.next(1, true));
  EXPECT_FALSE(cycles.next(1, true));
  for (SiteId site = 2; site < 200; ++site) cycles.suspect({}, {}, circle(2, site), 1);
  std::size_t tried = 1;
  while (cycles.next(1, true)) ++tried;
  EXPECT_EQ(tried, kSuspicionsMax);
}

TEST(LockCycles, ThatHaveComeAboutAreNotTried) {
  LockCycles cycles;
  cycles.suspect({}, {}, circle(2), 1);
  cycles.suspect({}, {}, circle(3), 1);
  cycles.deadlocked(deadlock_of({1, 0}));
  EXPECT_TRUE(cycles.has_come_about(circle(2)));
  EXPECT_FALSE(cycles.has_come_about(circle(3)));
  auto left = cycles.next(1, true);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->cycle.events.size(), 6u);
}

TEST(LockCycles, RememberTheRunThatShowedThem) {
  std::vector<wire::ChoiceRecord> choices = {{3, 1, wire::OpKind::mutex_lock, 2}};
  facts::Plan plan;
  plan.header.systematic = 1;
  facts::Run run;
  run.choices = choices;
  LockCycles cycles;
  cycles.suspect(plan, run, circle(2), 1);
  auto suspicion = cycles.next(1, true);
  ASSERT_TRUE(suspicion);
  EXPECT_EQ(suspicion->plan.prefix, choices);
  EXPECT_EQ(suspicion->plan.header.strict, 1);
}

TEST(LockCycles, DirectedPlansGoAroundTheCircleAndThenAtRandom) {
  facts::Plan plan;
  plan.header.strict = plan.header.stacks = plan.header.systematic = 1;
  plan.header.max_steps = 77;
  plan.prefix = {{3, 1, wire::OpKind::mutex_lock, 2}};
  for (std::uint32_t size : {2u, 3u, 4u}) {
    std::vector<facts::Plan> plans = directed_plans(plan, circle(size));
    ASSERT_EQ(plans.size(), kDirectedMax);
    for (std::uint32_t attempt = 0; attempt < kDirectedMax; ++attempt) {
      const facts::Plan& directed = plans[attempt];
      EXPECT_STREQ(directed.header.policy, "lock-cycle");
      EXPECT_EQ(directed.header.max_steps, 77u);
      EXPECT_EQ(directed.header.strict + directed.header.stacks + directed.header.systematic, 0);
      EXPECT_EQ(directed.header.seed == 0, attempt < size);
      ASSERT_EQ(directed.prefix.size(), size);
      ASSERT_EQ(directed.interest.place_count, size);
      for (std::uint32_t i = 0; i < size; ++i) {
        EXPECT_EQ(directed.prefix[i].picked, (i + attempt) % size + 1);
        EXPECT_EQ(directed.interest.places[i], lock((i + attempt) % size));
      }
    }
  }
}

}  // namespace
}  // namespace raddle::search
