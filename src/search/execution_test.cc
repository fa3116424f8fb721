// SPDX-License-Identifier: Apache-2.0
//
// Runs as steps. Tests only.
#include "search/execution.h"

#include <gtest/gtest.h>

#include "testing/hand_run.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

using wire::OpKind;

constexpr wire::Location kX = {0x10000000, 0x100}, kM = {0x10000000, 0x200};

TEST(Execution, AStepIsWhatWasAnnouncedAndWhatElseItDid) {
  HandRun hand;
  hand.step(0, OpKind::cond_wait, kX).also(OpKind::mutex_unlock, kM);
  hand.also(OpKind::plain_read, kX, 4).also(OpKind::memory_free, kX, 8);
  hand.also(OpKind::plain_write, kX, 4, wire::kEventRemembered);
  hand.step(1, OpKind::atomic_store, kX, 4);
  Execution execution;
  facts::Run run = hand.run();
  execution.read(run);
  ASSERT_EQ(execution.steps().size(), 2u);
  auto ops = execution.ops(execution.steps()[0]);
  // What a lone thread does to shared data is a part of its step; an access that is only recalled
  // was made earlier.
  ASSERT_EQ(ops.size(), 4u);
  EXPECT_EQ(ops[0].kind, OpKind::cond_wait);
  EXPECT_EQ(ops[1].kind, OpKind::mutex_unlock);
  EXPECT_EQ(ops[1].address, kM.key());
  EXPECT_EQ(ops[2].kind, OpKind::plain_read);
  EXPECT_EQ(ops[3].kind, OpKind::memory_free);
  EXPECT_EQ(ops[3].size, 8u);
  EXPECT_EQ(execution.steps()[1].thread, 1);
  EXPECT_EQ(execution.ops(execution.steps()[1]).size(), 1u);
}

// The size of a signal's event is its number.
TEST(Execution, OnlyAccessesHaveASize) {
  HandRun hand;
  hand.step(0, OpKind::signal_send, kX, 15).step(0, OpKind::atomic_rmw, kX, 4);
  Execution execution;
  facts::Run run = hand.run();
  execution.read(run);
  EXPECT_EQ(execution.ops(execution.steps()[0])[0].size, 0u);
  EXPECT_EQ(execution.ops(execution.steps()[1])[0].size, 4u);
}

TEST(Execution, StepsWithoutEventsAreOfWhoWasChosen) {
  HandRun hand;
  hand.step(0, OpKind::atomic_load, kX, 4).silent(1).among(1).silent(0);
  hand.among(3).step(1, OpKind::atomic_store, kX, 4);
  Execution execution;
  facts::Run run = hand.run();
  execution.read(run);
  ASSERT_EQ(execution.steps().size(), 4u);
  EXPECT_EQ(execution.steps()[1].thread, 1);
  EXPECT_EQ(execution.steps()[2].thread, kNoThread);
  EXPECT_EQ(execution.steps()[3].thread, 1);
  EXPECT_EQ(execution.ops(execution.steps()[1]).size(), 0u);
  EXPECT_EQ(execution.ops(execution.steps()[3]).size(), 1u);
  // What it does next is nothing, not what it does after that.
  EXPECT_TRUE(execution.next_ops(1, 1).empty());
  EXPECT_EQ(execution.next_ops(1, 2).size(), 1u);
}

TEST(Execution, ChoicesKnowTheirSteps) {
  HandRun hand;
  hand.among(1).step(0, OpKind::fence).among(3).step(0, OpKind::tick).value(2, 3);
  hand.step(1, OpKind::fence);
  Execution execution;
  facts::Run run = hand.run();
  execution.read(run);
  ASSERT_EQ(execution.choices().size(), 3u);
  EXPECT_EQ(execution.step_of(0), 1u);
  EXPECT_TRUE(execution.is_value(1));
  EXPECT_EQ(execution.step_of(1), 1u);
  EXPECT_EQ(execution.step_of(2), 2u);
  EXPECT_EQ(execution.steps()[0].choice, kNone);
  EXPECT_EQ(execution.steps()[1].choice, 0u);
  EXPECT_EQ(execution.steps()[2].choice, 2u);
}

TEST(Execution, WhatThreadsDoNextIsKnownToTheEnd) {
  HandRun hand;
  hand.step(0, OpKind::mutex_lock, kM).step(1, OpKind::atomic_load, kX, 4);
  hand.pending(1, OpKind::cond_wake, kX, kM).pending(2, OpKind::mutex_lock, kM);
  Execution execution;
  facts::Run run = hand.run();
  execution.read(run);
  EXPECT_EQ(execution.next_ops(1, 0)[0].kind, OpKind::atomic_load);
  ASSERT_EQ(execution.next_ops(1, 2).size(), 1u);
  EXPECT_EQ(execution.next_ops(1, 2)[0].kind, OpKind::cond_wake);
  EXPECT_EQ(execution.next_ops(1, 2)[0].second, kM.key());
  EXPECT_EQ(execution.next_ops(2, 0)[0].kind, OpKind::mutex_lock);
  EXPECT_TRUE(execution.next_ops(0, 1).empty());
  EXPECT_EQ(execution.thread_count(), 3);
  EXPECT_EQ(execution.pending().size(), 2u);
}

TEST(Execution, PreemptionsAreOfThreadsThatCouldGoOnAndHadNotYielded) {
  ToyTarget toy("A: step; yield; step | B: step; step | C: lock m; lock m");
  facts::Plan plan;
  plan.header = toy::plan_for("tree");
  FakeExecutor executor(std::ref(toy));
  Execution execution;
  auto run = executor.run(plan);
  execution.read(*run);
  EXPECT_FALSE(execution.preempts(0, 1));  // nobody has run yet
  EXPECT_TRUE(execution.preempts(1, 1));   // A could go on
  EXPECT_EQ(execution.preemptions_with(1, 1), 1u);
  EXPECT_FALSE(execution.preempts(1, 0));
  EXPECT_FALSE(execution.preempts(2, 2));  // A has yielded
  EXPECT_TRUE(execution.steps()[1].yields);
  EXPECT_FALSE(execution.steps()[0].yields);
}

TEST(Execution, AYieldThatMakesOthersMoveWakesSleepers) {
  ToyTarget toy("A: yield; step | B: step | C: step");
  facts::Plan plan;
  plan.header = toy::plan_for("tree");
  ToyRun made = toy(plan, 0);
  ASSERT_GE(made.sets.size(), 2u);
  made.sets[0].asleep = made.sets[1].asleep = 2;
  FakeExecutor executor([&](const facts::Plan&, std::uint64_t) { return made; });
  auto run = executor.run(plan);
  Execution execution;
  execution.read(*run);
  EXPECT_EQ(execution.asleep(0), 2u);
  EXPECT_EQ(execution.asleep(1), 0u);
}

}  // namespace
}  // namespace raddle::search
