// SPDX-License-Identifier: Apache-2.0
//
// What is counted in a run, and what the plans of urw and surw carry of it.
#include "search/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "search/sampling.h"
#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using wire::OpKind;
using wire::ThreadWeight;

wire::Event event(ThreadId thread, OpKind kind, std::uint32_t where = 0, ThreadId other = 0) {
  wire::Event event = {};
  event.kind = kind;
  event.thread = thread;
  event.flags = wire::kEventStep;
  if (where != 0) event.where = wire::make_location(wire::Region::global, 0, where);
  event.value = wire::pack_caller(0, other);
  return event;
}

facts::Run run_of(const std::vector<wire::Event>& events, std::uint32_t threads) {
  facts::Run run;
  run.events = events;
  run.thread_count = threads;
  return run;  // an exit with code 0
}

facts::Plan variables_plan(const Profile& profile, unsigned size, std::uint64_t seed = 1) {
  facts::Plan plan;
  plan.header.seed = seed;
  profile.weigh_variables(plan, size);
  return plan;
}

// Thread 0 creates 1, which creates 2: weights include those to be created.
TEST(Profile, CountsStepsOfThreadsAndTheirDescendants) {
  std::vector<wire::Event> events = {
      event(0, OpKind::thread_create, 0, 1), event(1, OpKind::thread_start),
      event(1, OpKind::thread_create, 0, 2), event(2, OpKind::thread_start),
      event(2, OpKind::atomic_load, 8),      event(0, OpKind::thread_join, 0, 1)};
  wire::Event beside = event(2, OpKind::plain_read, 16);
  beside.flags = wire::kEventConflict;
  events.push_back(beside);
  Profile profile;
  facts::Plan plan;
  profile.weigh_steps(plan);
  EXPECT_EQ(plan.weights, nullptr);
  profile.observe(run_of(events, 3), false);
  profile.weigh_steps(plan);
  EXPECT_THAT(*plan.weights, ElementsAre(ThreadWeight{6, kNoThread, 0}, ThreadWeight{4, 0, 0},
                                         ThreadWeight{2, 1, 0}));
  // The plain access will be a step when its site has become a point.
  profile.observe(run_of(events, 3), true);
  profile.weigh_steps(plan);
  EXPECT_EQ(plan.weights->at(2).events, 3u);
}

// 8 is shared. 16 is read only, 24 of one thread, 32 accessed under the lock 40 only. Of the lock
// the acquisitions count that were granted or refused, not the releases.
TEST(Profile, ChoosesAmongVariablesWhoseOrderMatters) {
  std::vector<wire::Event> events;
  for (ThreadId t : {ThreadId{0}, ThreadId{1}}) {
    events.push_back(event(t, OpKind::atomic_rmw, 8));
    events.push_back(event(t, OpKind::plain_read, 16));
    if (t == 0) events.push_back(event(t, OpKind::atomic_store, 24));
    events.push_back(event(t, OpKind::mutex_lock, 40));
    events.push_back(event(t, OpKind::plain_write, 32));
    events.push_back(event(t, OpKind::mutex_unlock, 40));
  }
  events.push_back(event(1, OpKind::atomic_load, 8));
  Profile profile;
  profile.observe(run_of(events, 2), false);
  EXPECT_EQ(profile.variables(), 2u);
  std::set<std::uint32_t> chosen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    facts::Plan plan = variables_plan(profile, 1, seed);
    ASSERT_EQ(plan.interest.place_count, 1u);
    chosen.insert(plan.interest.places[0].offset);
    bool lock = plan.interest.places[0].offset == 40;
    EXPECT_THAT(*plan.weights, ElementsAre(ThreadWeight{1, kNoThread, 0},
                                           ThreadWeight{lock ? 1u : 2u, kNoThread, 0}));
  }
  EXPECT_THAT(chosen, ElementsAre(8u, 40u));
  // Both at once, though three were asked for; all steps for size 0.
  facts::Plan both = variables_plan(profile, 3);
  EXPECT_EQ(both.interest.place_count, 2u);
  EXPECT_THAT(*both.weights,
              ElementsAre(ThreadWeight{2, kNoThread, 0}, ThreadWeight{3, kNoThread, 0}));
  facts::Plan all = variables_plan(profile, 0);
  EXPECT_EQ(all.interest.place_count, 0u);
  EXPECT_EQ(all.weights->at(0).events, 6u);
}

// A condition variable's wait gives the mutex back: what a waiter's peer does meanwhile is its own.
TEST(Profile, AVariableAccessedWithoutLockOnceIsAVariable) {
  std::vector<wire::Event> events = {
      event(0, OpKind::mutex_lock, 40), event(0, OpKind::plain_write, 32),
      event(0, OpKind::cond_wait, 48),  event(0, OpKind::plain_write, 32),
      event(1, OpKind::mutex_lock, 40), event(1, OpKind::plain_write, 32)};
  Profile profile;
  profile.observe(run_of(events, 2), false);
  EXPECT_EQ(profile.variables(), 2u) << "the lock and 32; the condition is of one thread";
}

TEST(Profile, RunsThatDidNotEndSayNothing) {
  std::vector<wire::Event> events = {event(0, OpKind::atomic_rmw, 8)};
  facts::Run run = run_of(events, 1);
  run.verdict.kind = wire::VerdictKind::deadlock;
  Profile profile;
  profile.observe(run, false);
  EXPECT_EQ(variables_plan(profile, 1).weights, nullptr);
  run.verdict.kind = wire::VerdictKind::exited;
  run.wait_status = 1 << 8;
  profile.observe(run, false);
  EXPECT_NE(variables_plan(profile, 1).weights, nullptr) << "an exit with another code";
}

// urw carries steps; surw one, two, three variables or everything, each equally often: 50 expected
// of each, standard deviation 6.
TEST(Profile, PlansOfTheStrategiesCarryIt) {
  auto program = [](const facts::Plan&, std::uint64_t) {
    ToyRun run = toy_exit(0);
    run.thread_count = 2;
    for (std::uint32_t where : {8, 16, 24, 32, 40})
      for (ThreadId t : {ThreadId{0}, ThreadId{1}})
        run.events.push_back(event(t, OpKind::atomic_rmw, where));
    return run;
  };
  Sampling urw("urw", toy_options());
  auto plans = drive(urw, 2, program);
  EXPECT_EQ(plans[0].weights, nullptr);
  EXPECT_THAT(*plans[1].weights,
              ElementsAre(ThreadWeight{5, kNoThread, 0}, ThreadWeight{5, kNoThread, 0}));
  Sampling surw("surw", toy_options());
  std::array<unsigned, 4> sizes = {};
  for (const facts::Plan& plan : drive(surw, 201, program)) ++sizes.at(plan.interest.place_count);
  for (unsigned count : sizes) EXPECT_NEAR(count, 50, 25);
}

}  // namespace
}  // namespace raddle::search
