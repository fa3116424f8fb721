// SPDX-License-Identifier: Apache-2.0
//
// What partial-order reduction asks for first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

using ::testing::Not;

TEST(PriorityDpor, HasTwoLevels) {
  ToyExecution run("A: choose 2; w x | B: r x");
  Alternative other = run.at(0, 1);
  EXPECT_EQ(priority_dpor(other), 1u);
  other.by_dpor = true;
  EXPECT_EQ(priority_dpor(other), 0u);
  other.conservative = true;
  EXPECT_EQ(priority_dpor(other), 0u);
}

TEST(PriorityDpor, ValuesAreAlwaysAskedFor) {
  ToyExecution run("A: choose 2");
  EXPECT_EQ(priority_dpor(run.at(0, 1)), 0u);
}

// Of three places at which B could go first, the one before the write matters.
TEST(PriorityDpor, AReversalOfAConflictComesFirst) {
  const char* program = "A: step; w x; step | B: step; r x; step";
  TreeSearch search = bounded_by("dpor");
  EXPECT_EQ(traces_of(search, program, 2).threads[1], "ABBBAA");
  // The same among those that are as good otherwise: depth first it would be the last place.
  TreeSearch depth_first(toy_options(), {.bound_kind = BoundKind::preemptions, .bound = 2});
  EXPECT_EQ(traces_of(depth_first, program, 2).threads[1], "AABBBA");
}

// Gambit's Figure 1: all interleavings are equivalent, so nothing is asked for, but within a bound
// everything is run all the same.
TEST(PriorityDpor, LeavesNothingOut) {
  TreeSearch search = bounded_by("dpor");
  EXPECT_EQ(traces_of(search, "A: store x; load x | B: store y; load y").threads.size(), 6u);
}

}  // namespace
}  // namespace raddle::search
