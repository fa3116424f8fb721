// SPDX-License-Identifier: Apache-2.0
//
// The happens-before order of runs written down by hand, and of random toy programs against its
// definition: the transitive closure of dependence. Tests only.
#include "search/trace_order.h"

#include <gtest/gtest.h>

#include "model/dependence.h"
#include "testing/hand_run.h"
#include "testing/toy_random.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

using wire::OpKind;

constexpr wire::Location at(std::uint32_t offset) { return {0x10000000, offset}; }

struct Ordered {
  facts::Run run;
  Execution execution;
  TraceOrder order;

  explicit Ordered(const facts::Run& made) : run(made) {
    execution.read(run);
    order.begin(execution);
    for (std::uint32_t i = 0; i < execution.steps().size(); ++i) {
      if (execution.steps()[i].thread == kNoThread) {
        order.add_unknown();
        continue;
      }
      order.begin_step(execution.steps()[i]);
      for (const model::PendingOp& op : execution.ops(execution.steps()[i]))
        order.see_before(op, execution.steps()[i].thread);
      order.add(i);
    }
  }
  bool before(std::uint32_t a, std::uint32_t b) const { return order.before(a, b); }
};

TEST(TraceOrder, AccessesAreOrderedByTheBytesTheyShare) {
  HandRun hand;
  hand.step(0, OpKind::atomic_store, at(0x100), 8);  // 0: all of a granule
  hand.step(1, OpKind::atomic_load, at(0x107), 1);   // 1: its last byte
  hand.step(2, OpKind::atomic_load, at(0x108), 1);   // 2: the byte behind
  hand.step(3, OpKind::plain_write, at(0x107), 2);   // 3: both, across granules
  hand.step(4, OpKind::plain_read, at(0x100), 4);    // 4: what only 0 has written
  Ordered o(hand.run(5));
  EXPECT_TRUE(o.before(0, 1));
  EXPECT_FALSE(o.before(0, 2));
  EXPECT_TRUE(o.before(0, 3));
  EXPECT_TRUE(o.before(1, 3));
  EXPECT_TRUE(o.before(2, 3));
  EXPECT_TRUE(o.before(0, 4));
  EXPECT_FALSE(o.before(3, 4));
  EXPECT_FALSE(o.before(1, 4));
}

TEST(TraceOrder, LongRangesAreComparedWithEverything) {
  HandRun hand;
  hand.step(0, OpKind::plain_read, at(0x1f0), 4);
  hand.step(1, OpKind::plain_write, at(0x100), 0xf8);
  hand.step(2, OpKind::plain_read, at(0x180), 1);
  hand.step(0, OpKind::plain_read, at(0x1f8), 4);
  Ordered o(hand.run(3));
  EXPECT_TRUE(o.before(0, 1));
  EXPECT_TRUE(o.before(1, 2));
  EXPECT_FALSE(o.before(1, 3));
}

TEST(TraceOrder, FreeingABlockComesAfterWhateverWasDoneInIt) {
  HandRun hand;
  hand.step(1, OpKind::atomic_load, at(0x104), 4);
  hand.step(2, OpKind::mutex_unlock, at(0x110));
  hand.step(3, OpKind::mutex_unlock, at(0x140));  // behind the block
  hand.step(0, OpKind::memory_free, at(0x100), 0x40);
  hand.step(2, OpKind::mutex_lock, at(0x120));
  Ordered o(hand.run(4));
  EXPECT_TRUE(o.before(0, 3));
  EXPECT_TRUE(o.before(1, 3));
  EXPECT_FALSE(o.before(2, 3));
  EXPECT_TRUE(o.before(3, 4));
}

TEST(TraceOrder, SignalsDependOnEverything) {
  HandRun hand;
  hand.step(0, OpKind::fence);
  hand.step(1, OpKind::signal_send, {}, 15);
  hand.step(2, OpKind::atomic_load, at(0x100), 4);
  Ordered o(hand.run(3));
  EXPECT_TRUE(o.before(0, 1));
  EXPECT_TRUE(o.before(1, 2));
}

TEST(TraceOrder, CreatingAndJoiningOrderThreads) {
  HandRun hand;
  hand.among(1).step(0, OpKind::thread_create, {}, 0, 0, wire::pack_caller(0, 1));
  hand.step(1, OpKind::fence).step(0, OpKind::fence);
  hand.step(0, OpKind::thread_join, {}, 0, 0, wire::pack_caller(0, 1));
  Ordered o(hand.run());
  EXPECT_TRUE(o.before(0, 1));
  EXPECT_FALSE(o.before(1, 2));
  EXPECT_TRUE(o.before(1, 3));
}

TEST(TraceOrder, StepsOfNobodyAreOrderedWithNothing) {
  HandRun hand;
  hand.step(0, OpKind::atomic_store, at(0x100), 4).among(1).silent(0);
  hand.among(3).step(1, OpKind::atomic_load, at(0x100), 4);
  Ordered o(hand.run());
  EXPECT_TRUE(o.before(0, 2));
  EXPECT_FALSE(o.before(0, 1));
}

bool frees(const TraceOrder& order, const model::PendingOp& op, ThreadId thread,
           std::uint32_t step) {
  bool was_free = false;
  order.for_each_met(op, thread, [&](const TraceOrder::Met& met) {
    if (met.step == step) was_free = met.was_free;
    return true;
  });
  return was_free;
}

// A lock can come before an operation only if the mutex was free there.
TEST(TraceOrder, KnowsWhenAMutexWasFree) {
  HandRun hand;
  hand.step(0, OpKind::mutex_lock, at(0x100));
  hand.step(1, OpKind::mutex_try_lock, at(0x100), 0, wire::kEventFailed);
  hand.step(0, OpKind::mutex_unlock, at(0x100));
  hand.step(0, OpKind::mutex_lock, at(0x100));  // and its thread ends
  hand.step(1, OpKind::mutex_lock, at(0x100));  // the owner is dead: it was free
  hand.step(1, OpKind::mutex_unlock, at(0x100));
  hand.step(0, OpKind::mutex_lock, at(0x100));
  Ordered o(hand.run(3));
  model::PendingOp lock;
  lock.kind = OpKind::mutex_lock;
  lock.address = at(0x100).key();
  o.order.begin_step(2);
  const bool expected[] = {true, false, false, true, true, false, true};
  for (std::uint32_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(frees(o.order, lock, 2, i), expected[i]) << i;
}

// The order by its definition.
std::vector<std::vector<bool>> closure(const Execution& execution) {
  auto steps = execution.steps();
  std::vector<std::vector<bool>> before(steps.size(), std::vector<bool>(steps.size()));
  for (std::size_t j = 0; j < steps.size(); ++j) {
    before[j][j] = true;
    for (std::size_t i = j; i-- > 0;) {
      bool creates = steps[i].other == steps[j].thread &&
                     execution.ops(steps[i])[0].kind == OpKind::thread_create;
      bool joins = steps[j].other == steps[i].thread &&
                   execution.ops(steps[j])[0].kind == OpKind::thread_join;
      if (steps[i].thread != steps[j].thread && !creates && !joins &&
          !any_dependent(execution.ops(steps[i]), execution.ops(steps[j])))
        continue;
      for (std::size_t k = 0; k <= i; ++k) before[k][j] = before[k][j] || before[k][i];
    }
  }
  return before;
}

TEST(TraceOrder, IsTheTransitiveClosureOfDependence) {
  std::size_t pairs = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    std::string text = toy::random_program(number, {.interleavings_max = 1000000});
    ToyTarget toy(text);
    facts::Plan plan;
    plan.header = toy::plan_for("random", number);
    FakeExecutor executor(std::ref(toy));
    auto run = executor.run(plan);
    Ordered o(*run);
    auto expected = closure(o.execution);
    for (std::uint32_t i = 0; i < expected.size(); ++i)
      for (std::uint32_t j = i; j < expected.size(); ++j, ++pairs)
        ASSERT_EQ(o.before(i, j), expected[i][j]) << text << ": " << i << ", " << j;
  }
  EXPECT_GT(pairs, 20000u);
}

}  // namespace
}  // namespace raddle::search
