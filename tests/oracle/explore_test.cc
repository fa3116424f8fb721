// SPDX-License-Identifier: Apache-2.0
//
// The interpreter against outcomes, races and numbers of executions derived by hand.
#include "oracle/explore.h"

#include <gtest/gtest.h>

#include "oracle/emit.h"
#include "oracle/generate.h"
#include "oracle/ops.h"

namespace raddle::oracle {
namespace {

using Races = std::set<Race>;

TEST(OracleExplore, InterleavesIndependentStepsInEveryWay) {
  // The join is last: (2 + 3)! / (2! 3!) orders of the rest.
  const Census two =
      explore(program({write(a0, 1), write(a0, 1)}, {{write(a1, 1), write(a1, 1), write(a1, 1)}}));
  EXPECT_EQ(two.executions, 10u);
  EXPECT_EQ(two.outcomes.size(), 1u);
  // create T1, create T2, join T1, join T2 in this order; T1's store before or after the second
  // create and T2's before or after the first join, and if both lie in the middle in either order.
  const Census three = explore(program({}, {{store(p2, 1)}, {store(p2, 2)}}));
  EXPECT_EQ(three.executions, 5u);
  EXPECT_EQ(three.outcomes.size(), 2u);
  EXPECT_EQ(three.races, (Races{{101, 201}}));
}

TEST(OracleExplore, IsSequentiallyConsistent) {
  // Store buffering: 01, 10 and 11, but never 00; 4! / (2! 2!) orders.
  const Census census =
      explore(program({write(a0, 1), read(a1, 0)}, {{write(a1, 1), read(a0, 0)}}));
  EXPECT_EQ(census.executions, 6u);
  EXPECT_EQ(census.outcomes, (std::set<std::string>{"0 0 0 1 1 | 0 0 0 0 0 0| 1 0 0 0 0 0",
                                                    "0 0 0 1 1 | 1 0 0 0 0 0| 0 0 0 0 0 0",
                                                    "0 0 0 1 1 | 1 0 0 0 0 0| 1 0 0 0 0 0"}));
}

TEST(OracleExplore, LosesUpdatesOnlyBetweenLoadAndStore) {
  // One loads, the other adds: the store that follows is 1 in every case, a0 ends as 1 or 2.
  EXPECT_EQ(explore(program({read(a0, 0), write(a0, 1)}, {{add(a0, 0)}})).outcomes,
            (std::set<std::string>{"0 0 0 1 0 | 0 0 0 0 0 0| 0 0 0 0 0 0",
                                   "0 0 0 2 0 | 0 0 0 0 0 0| 1 0 0 0 0 0",
                                   "0 0 0 1 0 | 1 0 0 0 0 0| 0 0 0 0 0 0"}));
  EXPECT_EQ(explore(program({add(a0, 0)}, {{add(a0, 0)}})).outcomes.size(), 2u);
}

TEST(OracleExplore, FindsTheDeadlockOfTwoLocks) {
  const Ops there = {does(Do::lock, m0), does(Do::lock, m1), does(Do::unlock, m1),
                     does(Do::unlock, m0)};
  const Ops back = {does(Do::lock, m1), does(Do::lock, m0), does(Do::unlock, m0),
                    does(Do::unlock, m1)};
  // Two deadlocks: both have their first lock, in either order. Else one has both locks and gives
  // the inner one away; then the other's first lock and the outer unlock come in either order.
  const Census census = explore(program(there, {back}));
  EXPECT_EQ(census.executions, 6u);
  EXPECT_EQ(census.outcomes,
            (std::set<std::string>{"0 0 0 0 0 | 0 0 0 0 0 0| 0 0 0 0 0 0", "deadlock"}));
  EXPECT_EQ(explore(program(there, {there})).outcomes.size(), 1u);
}

Races of_message(const Ops& sender, const Ops& receiver) {
  return explore(program(receiver, {sender})).races;
}

TEST(OracleExplore, OrdersAMessageByReleaseAndAcquire) {
  const Op reads = only_if(0, 1, load(p2, 1));
  const Races race = {{3, 101}};
  const Races none;
  const auto sender = [](Order order) { return Ops{store(p2, 1), write(a0, 1, order)}; };
  const auto receiver = [&](Order order) { return Ops{read(a0, 0, order), reads}; };
  EXPECT_EQ(of_message(sender(Order::release), receiver(Order::acquire)), none);
  EXPECT_EQ(of_message(sender(Order::seq_cst), receiver(Order::seq_cst)), none);
  EXPECT_EQ(of_message(sender(Order::relaxed), receiver(Order::acquire)), race);
  EXPECT_EQ(of_message(sender(Order::release), receiver(Order::relaxed)), race);
  // Fences stand in for the orders.
  const Ops fenced = {store(p2, 1), fence(Order::release), write(a0, 1, Order::relaxed)};
  EXPECT_EQ(of_message(fenced, receiver(Order::acquire)), none);
  const Races later = {{4, 101}};
  EXPECT_EQ(of_message(sender(Order::release),
                       {read(a0, 0, Order::relaxed), fence(Order::acquire), reads}),
            none);
  EXPECT_EQ(of_message(sender(Order::release),
                       {read(a0, 0, Order::relaxed), fence(Order::release), reads}),
            later);
}

TEST(OracleExplore, KnowsReleaseSequences) {
  const Op reads = only_if(0, 2, load(p2, 1));
  const Ops receiver = {read(a0, 0, Order::acquire), reads};
  // A relaxed store of the same thread continues it, one of another thread does not.
  EXPECT_EQ(of_message({store(p2, 1), write(a0, 1, Order::release), write(a0, 2, Order::relaxed)},
                       receiver),
            (Races{}));
  EXPECT_EQ(explore(program(receiver, {{store(p2, 1), write(a0, 1, Order::release)},
                                       {write(a0, 2, Order::relaxed)}}))
                .races,
            (Races{{4, 101}}));
  // A read-modify-write continues it, whoever makes it.
  EXPECT_EQ(explore(program(receiver, {{store(p2, 1), write(a0, 1, Order::release)},
                                       {add(a0, 0, Order::relaxed)}}))
                .races,
            (Races{}));
}

TEST(OracleExplore, SeesPlainAccessesOfAtomicVariables) {
  EXPECT_EQ(explore(program({load(a0, 0)}, {{write(a0, 1)}})).races, (Races{{2, 101}}));
  EXPECT_EQ(explore(program({load(a0, 0)}, {{read(a0, 0)}})).races, (Races{}));
  // A compare_exchange that fails is a read.
  const Op fails{.what = Do::compare_exchange, .object = a0, .reg = 0, .value = 1, .expected = 9};
  EXPECT_EQ(explore(program({load(a0, 0)}, {{fails}})).races, (Races{}));
  EXPECT_EQ(explore(program({store(a0, 3)}, {{fails}})).races, (Races{{2, 101}}));
}

TEST(OracleExplore, LosesSignalsWithoutAPredicate) {
  const Ops waits = {does(Do::lock), does(Do::wait), does(Do::unlock)};
  EXPECT_EQ(explore(program(waits, {{does(Do::signal)}})).outcomes.count("deadlock"), 1u);
  EXPECT_EQ(explore(program(waits, {{does(Do::signal)}})).outcomes.size(), 2u);
  const Ops looks = {does(Do::lock), load(p0, 0), wait_again(0, 0), does(Do::unlock)};
  const Ops tells = {does(Do::lock), store(p0, 1), does(Do::unlock), does(Do::signal)};
  EXPECT_EQ(explore(program(looks, {tells})).outcomes,
            (std::set<std::string>{"1 0 0 0 0 | 1 0 0 0 0 0| 0 0 0 0 0 0"}));
  EXPECT_EQ(explore(program(looks, {tells})).races, (Races{}));
  // One signal for two: whoever looks after the store goes on, but two who wait do not.
  EXPECT_EQ(explore(program(looks, {looks, tells})).outcomes.count("deadlock"), 1u);
  Ops all = tells;
  all.back() = does(Do::broadcast);
  EXPECT_EQ(explore(program(looks, {looks, all})).outcomes.count("deadlock"), 0u);
}

TEST(OracleExplore, OrdersByReadWriteLocksSemaphoresAndBarriers) {
  const auto under = [](Do how, Op op) { return Ops{does(how), op, does(Do::rw_unlock)}; };
  EXPECT_EQ(
      explore(program(under(Do::write_lock, store(p2, 1)), {under(Do::read_lock, load(p2, 0))}))
          .races,
      (Races{}));
  EXPECT_EQ(
      explore(program(under(Do::read_lock, store(p2, 1)), {under(Do::read_lock, load(p2, 0))}))
          .races,
      (Races{{3, 102}}));
  const Census posted =
      explore(program({does(Do::sem_wait), load(p2, 0)}, {{store(p2, 1), does(Do::post)}}));
  EXPECT_EQ(posted.outcomes.size(), 1u);
  EXPECT_EQ(posted.races, (Races{}));
  const Census met =
      explore(program({does(Do::barrier), load(p2, 0)}, {{store(p2, 1), does(Do::barrier)}}));
  EXPECT_EQ(met.outcomes, (std::set<std::string>{"0 0 1 0 0 | 1 0 0 0 0 0| 0 0 0 0 0 0"}));
  EXPECT_EQ(met.races, (Races{}));
}

TEST(OracleExplore, TimesOutWhenIdleOrAtAnyTime) {
  // The main thread holds the lock until T1 has ended.
  Program held = program({}, {{does(Do::timed_lock, m0, 0), only_if(0, 1, does(Do::unlock, m0))}});
  held.threads[0].insert(held.threads[0].begin(), does(Do::lock, m0));
  EXPECT_EQ(explore(held).outcomes,
            (std::set<std::string>{"0 0 0 0 0 | 0 0 0 0 0 0| 0 0 0 0 0 0"}));
  Program brief = program({does(Do::lock, m0), does(Do::unlock, m0)}, {held.threads[1]});
  EXPECT_EQ(explore(brief).outcomes.size(), 1u);
  // Yielding is no reason to hold time back.
  Program polite =
      program({does(Do::lock, m0), does(Do::yield), does(Do::unlock, m0)}, {held.threads[1]});
  EXPECT_EQ(explore(polite).outcomes.size(), 2u);
  brief.timers_any = true;
  EXPECT_EQ(explore(brief).outcomes.size(), 2u);
  EXPECT_EQ(explore(program({does(Do::lock, m0), does(Do::unlock, m0)},
                            {{does(Do::try_lock, m0, 0), only_if(0, 1, does(Do::unlock, m0))}}))
                .outcomes.size(),
            2u);
}

TEST(OracleGenerate, GivesTheSameProgramForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = generate(seed);
    EXPECT_EQ(text(program), text(generate(seed)));
    EXPECT_GE(program.threads.size(), 2u);
  }
  EXPECT_NE(text(generate(1)), text(generate(2)));
}

TEST(OracleEmit, PutsEachOperationOnTheLineOfItsSite) {
  const std::string c = emit({{7, program({load(p2, 0)}, {{only_if(0, 0, store(p0, 3))}})}});
  EXPECT_NE(c.find("#line 2\n  { r0 = p7_v.p2; BARRIER; done(2); }\n"), std::string::npos) << c;
  EXPECT_NE(c.find("#line 101\n  if (r0 == 0) { p7_v.p0 = 3; BARRIER; done(101); }\n"),
            std::string::npos);
  EXPECT_NE(c.find("case 7: p7_main(); return 0;"), std::string::npos);
}

}  // namespace
}  // namespace raddle::oracle
