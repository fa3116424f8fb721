// SPDX-License-Identifier: Apache-2.0
//
// The reader of toy programs, the machine and the brute force, against counts derived by hand.
#include "testing/toy_program.h"

#include <gtest/gtest.h>

#include "policy/fairness.h"
#include "testing/toy_enumerate.h"

namespace raddle::toy {
namespace {

std::string error_of(std::string_view text) {
  Result<Program> parsed = parse(text);
  return parsed ? "" : parsed.error().message;
}

TEST(ToyParser, ReadsThreadsOperationsAndFirstValues) {
  Program p = program("init: x 5; s 2|T1:  w  x ; r x;;| T2: semwait s; w x $+2");
  ASSERT_EQ(p.bodies.size(), 2u);
  EXPECT_EQ(p.bodies[0].name, "T1");
  ASSERT_EQ(p.bodies[0].ops.size(), 2u);
  EXPECT_EQ(p.bodies[0].ops[0].text, "w x");
  EXPECT_EQ(p.bodies[0].ops[0].a.number, 1);
  EXPECT_EQ(p.bodies[1].ops[0].kind, wire::OpKind::sem_wait);
  EXPECT_TRUE(p.bodies[1].ops[1].a.from_register);
  EXPECT_EQ(p.bodies[1].ops[1].a.number, 2);
  ASSERT_EQ(p.objects.size(), 2u);
  EXPECT_EQ(p.objects[0].initial, 5);
  EXPECT_EQ(p.objects[1].kind, model::ObjectKind::semaphore);
}

TEST(ToyParser, NamesTheMistake) {
  EXPECT_EQ(error_of("w x"), "toy program: 'w x': a thread begins with its name and a colon");
  EXPECT_EQ(error_of("T1: jump x"), "toy program: 'jump x': no such operation");
  EXPECT_EQ(error_of("T1: w"), "toy program: 'w': wrong number of arguments");
  EXPECT_EQ(error_of("T1: r x y"), "toy program: 'r x y': wrong number of arguments");
  EXPECT_EQ(error_of("T1: w x $-1"),
            "toy program: 'w x $-1': an operand is a number, $ or $+number");
  EXPECT_EQ(error_of("T1: w m; lock m"),
            "toy program: 'lock m': the object is of another kind elsewhere");
  EXPECT_EQ(error_of("T1: join T2"), "toy program: 'join T2': no thread of this name");
  EXPECT_EQ(error_of("T1: step | T1: step"), "toy program: 'T1': two threads of this name");
  EXPECT_EQ(error_of("init: y 1 | T1: w x"), "toy program: 'y': no thread uses this object");
  EXPECT_EQ(error_of("T1: choose 1"), "toy program: 'choose 1': a choice is among two or more");
}

TEST(ToyRun, CarriesOutWhatIsWritten) {
  Runner runner("init: x 3 | T1: r x; w y $+1; inc y; cas y 5 9; w z $; cas y 5 7; w u $");
  Outcome run = runner.run(plan_for("nonpreemptive"));
  EXPECT_EQ(run.end, End::complete);
  // y = 3 + 1, then 5, then 9; the second exchange finds 9 and fails.
  EXPECT_EQ(state(run), "u=0 x=3 y=9 z=1");
  EXPECT_TRUE(run.choices.empty());
}

TEST(ToyRun, RecordsAChoiceExactlyWhereTwoThreadsAreEnabled) {
  Runner runner("T1: lock m; w x; unlock m | T2: lock m; r x; unlock m");
  Outcome run = runner.run(plan_for("nonpreemptive"));
  EXPECT_EQ(trace(runner.program_of(), run),
            "T1: lock m; T1: w x; T1: unlock m; T2: lock m; T2: r x; T2: unlock m");
  // Only before the first step: then T2 waits for m, and after the unlock T1 has finished.
  std::vector<wire::ChoiceRecord> expected = {{0, 0, wire::OpKind::mutex_lock, 2}};
  EXPECT_EQ(run.choices, expected);
  EXPECT_EQ(run.switches, 1u);
}

TEST(ToyRun, StopsAtAFailedAssertionAndAtTheStepLimit) {
  Runner failing("T1: w x 2; assert x 1; w x 3");
  Outcome run = failing.run(plan_for("nonpreemptive"));
  EXPECT_EQ(run.end, End::assertion);
  EXPECT_EQ(state(run), "x=2");
  Runner endless("T1: spin x 1");
  wire::Plan plan = plan_for("nonpreemptive");
  plan.max_steps = 17;
  run = endless.run(plan);
  EXPECT_EQ(run.end, End::limit);
  EXPECT_EQ(run.steps.size(), 17u);
}

TEST(ToyRun, GivesThreadsIdsInTheOrderOfCreation) {
  Runner runner("M: spawn B; spawn A; join A | A: step | B: step");
  Outcome run = runner.run(plan_for("nonpreemptive"));
  EXPECT_EQ(trace(runner.program_of(), run), "M: spawn B; M: spawn A; B: step; A: step; M: join A");
  EXPECT_EQ(run.steps[2].thread, 1);
}

// Threads of n and m independent steps: C(n + m, n); of n1, n2, ...: the multinomial coefficient.
TEST(Enumerate, IndependentStepsInterleaveInAllWays) {
  EXPECT_EQ(enumerate("T1: step").complete, 1u);
  EXPECT_EQ(enumerate("T1: step | T2: step").complete, 2u);
  EXPECT_EQ(enumerate("T1: step; step | T2: step; step; step").complete, 10u);
  Census four = enumerate("T1: step; step; step; step | T2: step; step; step; step");
  EXPECT_EQ(four.complete, 70u);
  EXPECT_EQ(four.classes.size(), 1u);
  EXPECT_EQ(enumerate("A: step; step | B: step; step | C: step; step").complete, 90u);
}

// Steps that all depend on each other: every interleaving is a class of its own. Reads: one class.
TEST(Enumerate, ClassesCountOrdersOfDependentSteps) {
  Census writes = enumerate("T1: w x 1; w x 2 | T2: w x 3; w x 4");
  EXPECT_EQ(writes.complete, 6u);
  EXPECT_EQ(writes.classes.size(), 6u);
  EXPECT_EQ(writes.states, (std::set<std::string>{"x=2", "x=4"}));
  EXPECT_EQ(enumerate("T1: r x; r x | T2: r x; r x").classes.size(), 1u);
}

// r1 w1 r2 w2: of 6 interleavings the two serial ones give 2. The order of the two reads does not
// matter, so the other four are two classes.
TEST(Enumerate, LostUpdate) {
  Census census = enumerate("T1: r x; w x $+1 | T2: r x; w x $+1");
  EXPECT_EQ(census.complete, 6u);
  EXPECT_EQ(census.classes.size(), 4u);
  EXPECT_EQ(census.states, (std::set<std::string>{"x=1", "x=2"}));
}

// Critical sections do not overlap. Given that T1's comes first, T2's step has four places among
// T1's three operations, and T2's section is last: 4, and 4 for the other order.
TEST(Enumerate, MutexExcludes) {
  EXPECT_EQ(enumerate("T1: lock m; w x; unlock m | T2: lock m; w x; unlock m").complete, 2u);
  Census census = enumerate("T1: step; lock m; unlock m | T2: step; lock m; unlock m");
  EXPECT_EQ(census.complete, 8u);
  EXPECT_EQ(census.classes.size(), 2u);
  EXPECT_EQ(census.deadlocks, 0u);
}

// Both first locks taken, in either order: 2 deadlocks, one class. Otherwise one thread, say T1,
// takes both; T2 can take b after T1's unlock of b, and T1's unlock of a comes before or after that
// but before T2's lock of a: 2 runs, for each of the two threads.
TEST(Enumerate, TwoPhilosophers) {
  Census census =
      enumerate("T1: lock a; lock b; unlock b; unlock a | T2: lock b; lock a; unlock a; unlock b");
  EXPECT_EQ(census.complete, 4u);
  EXPECT_EQ(census.classes.size(), 2u);
  EXPECT_EQ(census.deadlocks, 2u);
  EXPECT_EQ(census.deadlock_classes.size(), 1u);
}

TEST(Enumerate, AThreadThatLocksItsOwnMutexAgainWaitsForItself) {
  Census census = enumerate("T1: lock m; lock m");
  EXPECT_EQ(census.complete, 0u);
  EXPECT_EQ(census.deadlocks, 1u);
}

// n posts and n waits in which no wait overtakes its post: the Catalan numbers 1, 2, 5, 14.
TEST(Enumerate, SemaphoreCountsAreCatalan) {
  EXPECT_EQ(enumerate("T1: post s | T2: semwait s").complete, 1u);
  EXPECT_EQ(enumerate("T1: post s; post s | T2: semwait s; semwait s").complete, 2u);
  EXPECT_EQ(enumerate("T1: post s; post s; post s | T2: semwait s; semwait s; semwait s").complete,
            5u);
  EXPECT_EQ(enumerate("T1: post s; post s; post s; post s | "
                      "T2: semwait s; semwait s; semwait s; semwait s")
                .complete,
            14u);
}

// Readers overlap freely: C(4, 2), and the order of what they do does not matter.
TEST(Enumerate, ReadLocksOverlapWriteLocksDoNot) {
  Census readers = enumerate("T1: rdlock l; rwunlock l | T2: rdlock l; rwunlock l");
  EXPECT_EQ(readers.complete, 6u);
  EXPECT_EQ(readers.classes.size(), 1u);
  EXPECT_EQ(enumerate("T1: wrlock l; rwunlock l | T2: rdlock l; rwunlock l").complete, 2u);
  EXPECT_EQ(enumerate("T1: wrlock l; rwunlock l | T2: wrlock l; rwunlock l").complete, 2u);
}

// With the mutex around the signal, the waiter comes first (one run: the wake waits for the unlock)
// or too late (one run). Without it the signal has three places, two of them too early.
TEST(Enumerate, SignalsBeforeTheWaitAreLost) {
  Census census = enumerate("T1: lock m; wait c m; unlock m | T2: lock m; signal c; unlock m");
  EXPECT_EQ(census.complete, 1u);
  EXPECT_EQ(census.deadlocks, 1u);
  census = enumerate("T1: lock m; wait c m; unlock m | T2: signal c");
  EXPECT_EQ(census.complete, 1u);
  EXPECT_EQ(census.deadlocks, 2u);
}

// Two waiters, and a notifier that first waits on a semaphore until both wait: notify-one leaves
// one behind in every run, notify-all none.
TEST(Enumerate, NotifyOneWakesOneNotifyAllWakesAll) {
  std::string waiters =
      "A: lock m; post s; wait c m; unlock m | B: lock m; post s; wait c m; unlock m | "
      "N: semwait s; semwait s; lock m; ";
  Census one = enumerate(waiters + "signal c; unlock m");
  Census all = enumerate(waiters + "broadcast c; unlock m");
  EXPECT_EQ(one.complete, 0u);
  EXPECT_GT(one.deadlocks, 0u);
  EXPECT_GT(all.complete, 0u);
  EXPECT_EQ(all.deadlocks, 0u);
}

// Arrivals with the steps before them: C(4, 2); then leaving with the steps after: C(4, 2).
TEST(Enumerate, BarrierSeparatesRounds) {
  EXPECT_EQ(enumerate("init: b 2 | T1: step; barrier b; step | T2: step; barrier b; step").complete,
            36u);
  EXPECT_EQ(enumerate("init: b 3 | T1: barrier b | T2: barrier b").deadlocks, 2u);
}

// Linear extensions: spawn A first and join B last; between them spawn B < join A, A < join A,
// spawn B < B. Beginning with spawn B: 3 orders of join A, A, B with A < join A. Beginning with A:
// spawn B, then 2.
TEST(Enumerate, SpawnAndJoinOrder) {
  EXPECT_EQ(enumerate("M: spawn A; spawn B; join A; join B | A: step | B: step").complete, 5u);
}

TEST(Enumerate, ValuesAreChoices) {
  Census census = enumerate("T1: choose 3; w x $; choose 2; w y $");
  EXPECT_EQ(census.complete, 6u);
  EXPECT_EQ(census.states.size(), 6u);
  EXPECT_EQ(census.classes.size(), 6u);
}

// A failed try-lock is a step as well: T2's has three places around T1's lock and unlock.
TEST(Enumerate, TryLockNeverWaits) {
  Census census = enumerate("T1: lock m; unlock m | T2: trylock m; w x $");
  EXPECT_EQ(census.deadlocks, 1u);  // T2 took it first and never lets go: T1 waits forever
  EXPECT_EQ(census.states, (std::set<std::string>{"x=0", "x=1"}));
}

// p: T1's step, a: T2's step, b: the store; S: a turn of T1's loop. A turn in vain holds T1 back
// until T2 has moved, so there is at most one before a and one between a and b, each after p; the
// last turn comes after b.
//   p before a:       2 * 2 (with or without a turn in each place)
//   p between a and b: 2
//   p after b:         1
TEST(Enumerate, FairnessMakesASpinLoopFinite) {
  Program p = program("T1: step; spin f 1 | T2: step; store f 1");
  policy::FairnessFilter fairness;
  Conditions fair;
  fair.filters = {&fairness};
  fair.plan.max_steps = 20;
  Census census = enumerate(p, fair, 1000);
  EXPECT_EQ(census.complete, 7u);
  EXPECT_EQ(census.limited, 0u);

  Conditions unfair = fair;
  unfair.filters.clear();
  EXPECT_GT(enumerate(p, unfair, 1000).limited, 0u);
}

TEST(Enumerate, SaysWhenItWasCut) {
  Census census = enumerate(program("T1: step; step | T2: step; step; step"), {}, 9);
  EXPECT_TRUE(census.cut);
  EXPECT_EQ(census.runs(), 9u);
  EXPECT_FALSE(enumerate("T1: step | T2: step").cut);
}

}  // namespace
}  // namespace raddle::toy
