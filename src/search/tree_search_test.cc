// SPDX-License-Identifier: Apache-2.0
//
// The tree search: numbers of traces derived by hand, what it says of itself, and what it does with
// runs that are not as they should be. Tests only.
#include "search/tree_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_enumerate.h"
#include "testing/toy_random.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TreeSearch dpor() { return {toy_options(), TreeOptions{.ways = Ways::reversals}}; }
TreeSearch all_ways() { return {toy_options(), TreeOptions{}}; }

struct Known {
  const char* program;
  std::uint64_t traces;         // deadlocks included
  std::uint64_t deadlocks = 0;  // of them
};

void expect_known(const Known& known) {
  TreeSearch search = dpor();
  ToyFindings found = explore(search, known.program);
  EXPECT_TRUE(found.finished && search.complete()) << known.program;
  EXPECT_EQ(found.runs, known.traces) << known.program;
  EXPECT_EQ(found.deadlocks.size(), known.deadlocks) << known.program;
  EXPECT_TRUE(search.tree().empty());
  EXPECT_EQ(search.size().nodes + search.size().open + search.size().set_bytes, 0u);
  toy::Census census = toy::enumerate(known.program);
  EXPECT_EQ(census.classes.size() + census.deadlock_classes.size(), known.traces) << known.program;
}

TEST(Dpor, KnownNumbersOfTracesOfAccesses) {
  const Known known[] = {
      // Nothing is shared.
      {"A: step; step | B: step; step | C: step; step", 1},
      {"A: inc x | B: inc y | C: inc z", 1},
      {"A: w x; r x | B: w y; r y", 1},
      // Reads do not conflict.
      {"A: r x | B: r x | C: r x", 1},
      // All orders of three: 3!.
      {"A: inc x | B: inc x | C: inc x", 6},
      // A compare-exchange counts as a write, also when it fails.
      {"A: cas x 0 1 | B: cas x 0 2", 2},
      {"A: cas x 5 1 | B: load x", 2},
      // Each reader before or after the writer: 2^2, 2^3.
      {"A: w x | B: r x | C: r x", 4},
      {"A: w x | B: r x | C: r x | D: r x", 8},
      // The read before, between or after two writes.
      {"A: w x; w x | B: r x", 3},
      // Two pairs of two orders each, but one combination is a cycle.
      {"A: w x; r y | B: w y; r x", 3},
      {"A: w x; w y | B: w y; w x", 3},
      // The same variables in the same order: all four combinations but for none: x and y can be
      // won by different threads.
      {"A: w x; w y | B: w x; w y", 4},
      // Created late: after the creation, before or after the second increment.
      {"A: inc x; spawn B; inc x | B: inc x", 2},
      // Two orders of the writes; the read comes after the join in both.
      {"A: spawn B; w x; join B; r x | B: w x 2", 2},
      // Three values, each written before or after the read.
      {"A: choose 3; w x $ | B: r x", 6},
  };
  for (const Known& k : known) expect_known(k);
}

TEST(Dpor, KnownNumbersOfTracesOfSynchronisation) {
  const Known known[] = {
      // Critical sections in all orders: 3!; 4! / (2! 2!); 6! / (2! 2! 2!).
      {"A: lock m; inc x; unlock m | B: lock m; inc x; unlock m | C: lock m; inc x; unlock m", 6},
      {"A: lock m; unlock m; lock m; unlock m | B: lock m; unlock m; lock m; unlock m", 6},
      {"A: lock m; inc x; unlock m; lock m; inc x; unlock m | B: lock m; inc x; unlock m; lock m; "
       "inc x; unlock m | C: lock m; inc x; unlock m; lock m; inc x; unlock m",
       90},
      {"A: lock m; unlock m | B: lock n; unlock n", 1},
      // Before the lock, which then waits for ever; while it is held, in vain; after the unlock.
      {"A: lock m; unlock m | B: trylock m", 3, 1},
      // Two philosophers: either eats first, or each holds one fork. Three: orders of the three
      // forks' pairs, 2^3, but not the one in which each fork goes to its second user first.
      {"A: lock a; lock b; unlock b; unlock a | B: lock b; lock a; unlock a; unlock b", 3, 1},
      {"A: lock a; lock b; unlock b; unlock a | B: lock b; lock c; unlock c; unlock b | "
       "C: lock c; lock a; unlock a; unlock c",
       7, 1},
      // The wait after the first post or after the second.
      {"init: s 0 | A: post s; post s | B: semwait s", 2},
      // One at a time: two orders. Two at a time: any order of the four operations, 4! / (2! 2!).
      {"init: s 1 | A: semwait s; post s | B: semwait s; post s", 2},
      {"init: s 2 | A: semwait s; post s | B: semwait s; post s", 6},
      // Nobody ever posts: whoever comes first gets it, the other one waits for ever.
      {"init: s 1 | A: semwait s | B: semwait s", 2, 2},
      // Two orders to arrive, two to leave.
      {"init: b 2 | A: barrier b | B: barrier b", 2},
      {"init: b 2 | A: barrier b", 1, 1},
      // Six interleavings, but the read locks of RRUU can be exchanged: RR(Ua Ub), RR(Ub Ua), and
      // one whole section before the other.
      {"A: rdlock l; rwunlock l | B: rdlock l; rwunlock l", 1},
      {"A: rdlock l; r x; rwunlock l | B: rdlock l; r x; rwunlock l | C: wrlock l; w x; rwunlock l",
       4},
      {"A: wrlock l; rwunlock l | B: rdlock l; rwunlock l", 2},
      // The waiter is there first, or it misses the signal and waits for ever.
      {"A: lock m; wait c m; unlock m | B: lock m; signal c; unlock m", 2, 1},
      {"A: lock m; wait c m; unlock m | B: signal c", 2, 1},
      // The signal comes first, and then either section; or B waits before it: then its wake comes
      // before A's section or after it. A waits for ever in all of them, B in the first two.
      {"A: signal c; lock m; wait c m; unlock m | B: lock m; wait c m; unlock m", 4, 4},
  };
  for (const Known& k : known) expect_known(k);
}

TEST(Dpor, EveryAssertionThatCanFailIsFoundThoughTheFirstOneEndsTheRun) {
  TreeSearch search = dpor();
  ToyFindings found = explore(search, "A: assert x 1 | B: assert x 1; assert y 0 | C: w x; w y");
  EXPECT_THAT(found.assertions, ElementsAre("A: assert x 1", "B: assert x 1", "B: assert y 0"));
  EXPECT_THAT(found.states, ElementsAre("x=1 y=1"));
  EXPECT_TRUE(search.complete());
}

TEST(Dpor, BlockedRunsAreCountedApart) {
  std::uint64_t blocked = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    TreeSearch search = dpor();
    ToyFindings found = explore(search, toy::random_program(number));
    EXPECT_EQ(search.counts().blocked, found.blocked);
    EXPECT_EQ(search.counts().runs, found.runs);
    EXPECT_TRUE(search.complete());
    blocked += found.blocked;
  }
  EXPECT_GT(blocked, 0u);
}

TEST(TreeSearch, GuaranteesNameWhatWasRun) {
  constexpr const char* kTwo = "A: inc x | B: inc x";
  TreeSearch reduced = dpor();
  EXPECT_THAT(reduced.guarantee(), HasSubstr("0 traces"));
  explore(reduced, kTwo, 1);
  EXPECT_THAT(reduced.guarantee(), StartsWith("1 trace of synchronisation and atomics"));
  EXPECT_THAT(reduced.guarantee(), HasSubstr("there are more"));
  explore(reduced, kTwo);
  EXPECT_THAT(reduced.guarantee(), StartsWith("all 2 traces of synchronisation and atomics"));
  TreeSearch one = dpor();
  explore(one, "A: inc x | B: inc y");
  EXPECT_THAT(one.guarantee(), StartsWith("the only trace of synchronisation and atomics"));
  TreeSearch all = all_ways();
  explore(all, "A: inc x | B: inc y");
  EXPECT_THAT(all.guarantee(), StartsWith("all 2 interleavings of synchronisation and atomics"));
  TreeSearch bounded(toy_options(), {.bound_kind = BoundKind::preemptions, .bound = 1});
  explore(bounded, "A: step; step | B: step; step");
  EXPECT_THAT(bounded.guarantee(), StartsWith("all 4 interleavings with at most 1 preemption of"));
  TreeSearch delays(toy_options(), {.bound_kind = BoundKind::delays, .bound = 0});
  explore(delays, "A: step; step | B: step; step");
  EXPECT_THAT(delays.guarantee(), HasSubstr("the only interleaving with at most 0 delays"));
}

TEST(TreeSearch, ByPreemptionsItKnowsWhatIsDone) {
  TreeSearch search(toy_options(), {.priority = *Priority::parse("pb"), .by_preemptions = true});
  // Of the six, two have no preemption, two have one and two have two.
  explore(search, "A: step; step | B: step; step", 2);
  EXPECT_THAT(search.guarantee(), Not(HasSubstr("among them")));
  explore(search, "A: step; step | B: step; step", 1);
  EXPECT_THAT(search.guarantee(), HasSubstr("among them all with at most 0 preemptions"));
  explore(search, "A: step; step | B: step; step", 2);
  EXPECT_THAT(search.guarantee(), HasSubstr("among them all with at most 1 preemption"));
}

TEST(TreeSearch, ARunThatDivergesIsMadeAgain) {
  for (bool reduced : {false, true}) {
    TreeSearch search = reduced ? dpor() : all_ways();
    ToyTarget toy("A: inc x | B: inc x | C: inc x");
    auto plans = drive(search, 100, [&](const facts::Plan& plan, std::uint64_t number) {
      ToyRun run = toy(plan, number);
      if (number == 2 || number == 3) run.verdict.kind = wire::VerdictKind::divergence;
      return run;
    });
    EXPECT_EQ(plans.size(), 8u);
    EXPECT_EQ(plans[2].steering, plans[3].steering);
    EXPECT_EQ(plans[2].steering, plans[4].steering);
    EXPECT_NE(plans[4].steering, plans[5].steering);
    EXPECT_TRUE(search.complete());
    EXPECT_EQ(search.counts().diverged, 0u);
  }
}

TEST(TreeSearch, ARunThatKeepsDivergingDoesNotCount) {
  for (bool short_run : {false, true}) {
    TreeSearch search = all_ways();
    ToyTarget toy("A: inc x | B: inc x | C: inc x");
    auto plans = drive(search, 100, [&](const facts::Plan& plan, std::uint64_t number) {
      ToyRun run = toy(plan, number);
      auto deltas = facts::rows_of<facts::Deviations>(plan.steering);
      bool last = deltas.size() == 1 && deltas[0].choice.step == 0 && deltas[0].choice.picked == 2;
      if (last && !short_run) run.verdict.kind = wire::VerdictKind::divergence;
      // It ends before it comes to where its path leads.
      if (last && short_run) run.choices.clear();
      return run;
    });
    // Of the six, that one and the one below it are missing; it was tried three times.
    EXPECT_EQ(plans.size(), 4u + 3u);
    EXPECT_EQ(search.counts().runs, 4u);
    EXPECT_EQ(search.counts().diverged, 1u);
    EXPECT_FALSE(search.complete());
    EXPECT_THAT(search.guarantee(), HasSubstr("; 1 run left the path to be followed"));
    EXPECT_THAT(search.guarantee(), StartsWith("4 interleavings of"));
    EXPECT_TRUE(search.tree().empty());
  }
}

TEST(TreeSearch, NewSitesInTheMiddleBeginItAnew) {
  TreeSearch search = dpor();
  ToyTarget toy("A: inc x | B: inc x | C: inc x");
  auto plans = drive(search, 100, [&](const facts::Plan& plan, std::uint64_t number) {
    ToyRun run = toy(plan, number);
    if (number == 3) run.events.push_back(toy_access(wire::OpKind::plain_write, 77));
    return run;
  });
  EXPECT_EQ(plans.size(), 4u + 6u);
  EXPECT_TRUE(facts::rows_of<facts::Deviations>(plans[4].steering).empty());
  EXPECT_THAT(*plans[4].sites, ElementsAre(77));
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.counts().runs, 6u);
  EXPECT_THAT(search.guarantee(), HasSubstr("racing accesses at 1 site"));
  EXPECT_THAT(search.guarantee(), HasSubstr("begun anew 1 time"));
}

TEST(TreeSearch, WhatTheFirstRunShowsIsNoSurprise) {
  TreeSearch search = dpor();
  ToyTarget toy("A: inc x | B: inc x");
  auto plans = drive(search, 100, [&](const facts::Plan& plan, std::uint64_t number) {
    ToyRun run = toy(plan, number);
    run.events.push_back(toy_access(wire::OpKind::plain_write, 77));
    return run;
  });
  EXPECT_EQ(plans.size(), 1u + 2u);
  EXPECT_THAT(search.guarantee(), Not(HasSubstr("anew")));
}

TEST(TreeSearch, RunsUpToALimitMakeItIncomplete) {
  PlanOptions options = toy_options();
  options.max_steps = 3;
  TreeSearch search(options, {});
  // After three steps A has made 0 to 2 of its two: 1 + 3 + 3 orders.
  EXPECT_EQ(explore(search, "A: step; step | B: step; step; step; step").runs, 7u);
  EXPECT_FALSE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("7 of them up to a limit only"));
  TreeSearch reduced(options, {.ways = Ways::reversals});
  explore(reduced, "A: inc x; inc x | B: inc x; inc x");
  EXPECT_FALSE(reduced.complete());
  EXPECT_THAT(reduced.guarantee(), HasSubstr("up to a limit only"));
}

TEST(TreeSearch, SpinLoopsEnd) {
  constexpr const char* kSpin = "A: spin f 1; r x | B: w x; store f 1";
  TreeSearch all = all_ways();
  EXPECT_THAT(explore(all, kSpin).states, ElementsAre("f=1 x=1"));
  EXPECT_TRUE(all.complete());
  EXPECT_THAT(all.guarantee(), HasSubstr("does not give way"));
  TreeSearch bounded(toy_options(), {.bound_kind = BoundKind::preemptions, .bound = 1});
  EXPECT_TRUE(explore(bounded, kSpin).finished && bounded.complete());
  // Both orders of the spinning read and the store, and an end.
  TreeSearch reduced = dpor();
  ToyFindings found = explore(reduced, kSpin);
  EXPECT_TRUE(found.finished);
  EXPECT_GE(found.runs, 2u);
  EXPECT_FALSE(reduced.complete());
  EXPECT_THAT(reduced.guarantee(),
              HasSubstr("since threads had to give way, traces may be missing"));
  // A thread that spins for ever: nobody else is left, so only the limit ends it.
  TreeSearch livelock = dpor();
  EXPECT_TRUE(explore(livelock, "A: spin f 1 | B: step").finished);
  EXPECT_THAT(livelock.guarantee(), HasSubstr("up to a limit only"));
}

// What a program does around a yield is not lost.
TEST(TreeSearch, YieldsDoNotHideTraces) {
  for (const char* text : {"A: load x; r x; w x 5 | B: yield; w x 1; w y $+1",
                           "A: yield; r y; w y $+1 | B: yield; r y; w y $+1; w x $",
                           "A: spawn B; yield; load x; join B | B: w x $+1 | C: yield; inc x"}) {
    TreeSearch all = all_ways(), reduced = dpor();
    EXPECT_EQ(explore(reduced, text).states, explore(all, text).states) << text;
  }
}

TEST(TreeSearch, MoreValuesThanARecordHoldsMakeItIncomplete) {
  for (bool reduced : {false, true}) {
    TreeSearch search = reduced ? dpor() : all_ways();
    EXPECT_EQ(explore(search, "A: choose 256").runs, 255u);
    EXPECT_FALSE(search.complete());
    EXPECT_THAT(search.guarantee(), HasSubstr("only the first 255 were followed"));
    EXPECT_THAT(search.guarantee(), Not(HasSubstr("all 255")));
  }
}

TEST(TreeSearch, MoreThreadsThanSetsHoldMakeItIncomplete) {
  std::string text;
  for (int i = 0; i < 67; ++i) text += (i == 0 ? "T" : " | T") + std::to_string(i) + ": step";
  TreeSearch reduced = dpor();
  TreeSearch delays(toy_options(), {.bound_kind = BoundKind::delays, .bound = 1});
  TreeSearch preemptions(toy_options(), {.bound_kind = BoundKind::preemptions, .bound = 0});
  EXPECT_EQ(explore(reduced, text).runs, 1u);
  // One thread is passed over once, as long as there is another one in the sets.
  EXPECT_EQ(explore(delays, text).runs, 1u + 63u);
  explore(preemptions, text, 200);
  for (TreeSearch* search : {&reduced, &delays, &preemptions}) {
    EXPECT_FALSE(search->complete());
    EXPECT_THAT(search->guarantee(),
                HasSubstr("threads from number 64 on went their default way only"));
  }
}

TEST(TreeSearch, TheTreesSizeIsKnown) {
  TreeSearch search = all_ways();
  explore(search, "A: step; step | B: step; step", 1);
  // The root and two children that wait.
  EXPECT_EQ(search.size().nodes, 3u);
  EXPECT_EQ(search.size().open, 2u);
  EXPECT_GE(search.size().peak_tree_bytes, 3 * 16u);
  explore(search, "A: step; step | B: step; step");
  EXPECT_EQ(search.size().nodes, 0u);
  EXPECT_EQ(search.size().open, 0u);
  EXPECT_GE(search.size().peak_nodes, 3u);
}

}  // namespace
}  // namespace raddle::search
