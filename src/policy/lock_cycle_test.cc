// SPDX-License-Identifier: Apache-2.0
//
// LockCyclePolicy on toy programs: the deadlocks that it is led to, and those that are none.
#include "policy/lock_cycle.h"

#include <gtest/gtest.h>

#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

struct Member {
  ThreadId thread;
  const char* lock;
};

toy::Outcome directed(const char* text, const std::vector<Member>& cycle, std::uint64_t seed = 0) {
  toy::Runner runner(text);
  toy::Conditions conditions{toy::plan_for("lock-cycle", seed), {}, {}};
  facts::LockCycle members;
  for (const Member& member : cycle)
    members.rows.push_back({toy::location_of(runner.program_of(), member.lock), member.thread});
  conditions.steering = members;
  return runner.run(conditions);
}

TEST(LockCycle, LeadsTwoThreadsToTheirLocks) {
  const char* text =
      "A: step; lock a; step; lock b; unlock b; unlock a | "
      "B: step; step; lock b; lock a; unlock a; unlock b";
  EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}}).end, toy::End::deadlock);
  EXPECT_EQ(directed(text, {{1, "b"}, {0, "a"}}).end, toy::End::deadlock);
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}}, seed).end, toy::End::deadlock) << seed;
}

TEST(LockCycle, LeadsThreeThreadsToTheirLocksWhateverOthersDo) {
  const char* text =
      "A: lock a; lock b; unlock b; unlock a | B: lock b; lock c; unlock c; unlock b | "
      "C: lock c; lock a; unlock a; unlock c | D: step; lock d; step; unlock d; step";
  EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}, {2, "c"}}).end, toy::End::deadlock);
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}, {2, "c"}}, seed).end, toy::End::deadlock);
}

// B takes a before: if A goes first and is held back with it, B never comes to its place.
TEST(LockCycle, TheOrderDecidesWhereOneNeedsALockBefore) {
  const char* text =
      "A: lock a; lock b; unlock b; unlock a | "
      "B: lock a; unlock a; lock b; lock a; unlock a; unlock b";
  EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}}).end, toy::End::complete);
  EXPECT_EQ(directed(text, {{1, "b"}, {0, "a"}}).end, toy::End::deadlock);
}

TEST(LockCycle, ReadersAndWritersAndConditionVariables) {
  const char* rwlocks =
      "A: rdlock a; wrlock b; rwunlock b; rwunlock a | B: rdlock b; wrlock a; rwunlock a; "
      "rwunlock b";
  EXPECT_EQ(directed(rwlocks, {{0, "a"}, {1, "b"}}).end, toy::End::deadlock);
  // A holds a while it waits, and needs m to wake.
  const char* wait =
      "A: lock m; lock a; wait c m; unlock a; unlock m | "
      "B: lock m; signal c; unlock m; lock m; lock a; unlock a; unlock m";
  EXPECT_EQ(directed(wait, {{0, "a"}, {1, "m"}}).end, toy::End::deadlock);
}

TEST(LockCycle, GatesAndOrderedThreadsGoOnToTheirEnds) {
  const char* gate =
      "A: lock g; lock a; lock b; unlock b; unlock a; unlock g | "
      "B: lock g; lock b; lock a; unlock a; unlock b; unlock g";
  const char* joined =
      "A: lock a; lock b; unlock b; unlock a | B: join A; lock b; lock a; unlock a; unlock b";
  for (const char* text : {gate, joined})
    for (std::uint64_t seed = 0; seed <= 20; ++seed)
      EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}}, seed).end, toy::End::complete) << text;
}

// Recursion is counted: the second unlock gives the lock back.
TEST(LockCycle, AThreadIsNotHeldBackWithoutItsLock) {
  const char* text = "A: lock a; unlock a; lock b; unlock b; step | B: step; step; step; lock b";
  toy::Outcome run = directed(text, {{0, "a"}, {1, "b"}});
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(run.steps[i].thread, 0u) << i;
}

TEST(LockCycle, ASpinningThreadDoesNotWaitForEver) {
  const char* text =
      "A: lock a; lock b; unlock b; unlock a; store x 1 | B: spin x 1; lock b; lock a; unlock a; "
      "unlock b";
  EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}}).end, toy::End::complete);
  EXPECT_EQ(directed(text, {{1, "b"}, {0, "a"}}, 7).end, toy::End::complete);
}

TEST(LockCycle, WithoutACycleItIsAnOrdinaryPolicy) {
  EXPECT_EQ(directed("A: r x; r y | B: r x", {}).end, toy::End::complete);
  EXPECT_EQ(directed("A: r x; r y | B: r x", {}, 5).end, toy::End::complete);
}

TEST(LockCycle, IsAFunctionOfThePlan) {
  const char* text =
      "A: lock a; unlock a; lock b; unlock b | B: lock b; unlock b; lock a; unlock a | C: r x; r y";
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_EQ(directed(text, {{0, "a"}, {1, "b"}}, seed).choices,
              directed(text, {{0, "a"}, {1, "b"}}, seed).choices);
}

}  // namespace
}  // namespace raddle::policy
