// SPDX-License-Identifier: Apache-2.0
//
// Runs that go in circles, and the further runs that tell what that amounts to.
#include "campaign/endless.h"

#include <gtest/gtest.h>

#include "testing/fake_executor.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys

constexpr StepIndex kSteps = 10'000;

facts::Plan plan_of_run() {
  facts::Plan plan;
  plan.header.max_steps = kSteps;
  return plan;
}

// A run that leads to circles at step 100, by three choices, and its examination.
class Endless : public ::testing::Test {
 protected:
  static ToyRun circles() {
    ToyRun run = toy_circles(kSteps);
    for (StepIndex step = 0; step < 100; ++step) run.events[step].site = 6 + step;
    run.choices = {{7, 0, wire::OpKind::atomic_load, 2},
                   {99, 1, wire::OpKind::atomic_load, 2},
                   {500, 0, wire::OpKind::atomic_load, 2}};
    return run;
  }

  Circles examined(FakeExecutor::Program program) {
    executor_.emplace(std::move(program));
    ToyRun toy = circles();
    facts::Run run;
    run.events = toy.events;
    run.choices = toy.choices;
    run.verdict = toy.verdict;
    run.steps = toy.steps;
    auto result = try_to_leave(*executor_, plan_of_run(), run);
    EXPECT_TRUE(result);
    return *result;
  }

  // A continuation: 2,000 steps more.
  static ToyRun stays() {
    ToyRun run = circles();
    run.events.resize(100 + kContinuedSteps);
    return run;
  }

  static ToyRun repeated(bool recurred) {
    ToyRun run = circles();
    run.recurred = recurred;
    return run;
  }

  std::optional<FakeExecutor> executor_;
};

bool is_repetition(const facts::Plan& plan) { return plan.header.recurrence_from != 0; }

TEST_F(Endless, WhereAllStayAndTheStateComesBack) {
  EXPECT_EQ(examined([](const facts::Plan& plan, std::uint64_t) {
              return is_repetition(plan) ? repeated(true) : stays();
            }),
            Circles::endless);
  ASSERT_EQ(executor_->plans.size(), kContinuations + 1u);
  const facts::Plan& first = executor_->plans[0];
  EXPECT_STREQ(first.header.policy, "random");
  EXPECT_EQ(first.header.max_steps, 100 + kContinuedSteps);
  // The choices before the circles are followed, those inside are not.
  EXPECT_EQ(facts::rows_of<facts::Choices>(first.steering).size(), 2u);
  EXPECT_NE(first.header.seed, executor_->plans[1].header.seed);
  const facts::Plan& last = executor_->plans.back();
  EXPECT_TRUE(facts::is_recorded(last.steering));
  EXPECT_GE(last.header.recurrence_from, 100u);
}

TEST_F(Endless, OneThatEndsLeaves) {
  EXPECT_EQ(examined([](const facts::Plan& plan, std::uint64_t number) {
              if (is_repetition(plan)) return repeated(true);
              return number == 99 ? toy_exit(0) : stays();
            }),
            Circles::in_step);
}

TEST_F(Endless, OneThatDoesSomethingElseLeaves) {
  EXPECT_EQ(examined([](const facts::Plan& plan, std::uint64_t) {
              if (is_repetition(plan)) return repeated(true);
              ToyRun run = stays();
              run.events.back().site = 1000;
              return run;
            }),
            Circles::in_step);
  EXPECT_EQ(executor_->plans.size(), 2u) << "the first one was enough";
}

TEST_F(Endless, WhatWasDoneBeforeTheCirclesDoesNotCount) {
  EXPECT_EQ(examined([](const facts::Plan& plan, std::uint64_t) {
              if (is_repetition(plan)) return repeated(true);
              ToyRun run = stays();
              run.events[50].site = 1000;
              return run;
            }),
            Circles::endless);
}

TEST_F(Endless, WhereTheStateDoesNotComeBackNothingIsSaid) {
  EXPECT_EQ(examined([](const facts::Plan& plan, std::uint64_t) {
              return is_repetition(plan) ? repeated(false) : stays();
            }),
            Circles::unproved);
  EXPECT_EQ(examined([](const facts::Plan& plan, std::uint64_t) {
              return is_repetition(plan) ? repeated(false) : toy_exit(0);
            }),
            Circles::unproved);
  EXPECT_EQ(examined([](const facts::Plan& plan, std::uint64_t) {
              return is_repetition(plan) ? toy_exit(0) : stays();
            }),
            Circles::unproved)
      << "the repetition went another way";
}

}  // namespace
}  // namespace raddle::campaign
