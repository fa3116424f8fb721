// SPDX-License-Identifier: Apache-2.0
//
// What a sleep set would leave out last.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST(PrioritySs, HasTwoLevels) {
  ToyExecution run("A: w x | B: r x");
  Alternative other = run.at(0, 1);
  EXPECT_EQ(priority_ss(other), 0u);
  other.asleep = true;
  EXPECT_EQ(priority_ss(other), 1u);
}

// After A's first step, B's store wakes A's load: going back to A right after it (ABAB) is as good
// as BBAA, which was found before, and so comes before it.
TEST(PrioritySs, WhatWokeUpIsAsGoodAsNew) {
  TreeSearch search = bounded_by("ss");
  EXPECT_THAT(traces_of(search, "A: store x; load y | B: store y; load z").threads,
              ElementsAre("AABB", "ABBA", "ABAB", "BBAA", "BAAB", "BABA"));
}

// Gambit's Figure 1. After B's first step A's is asleep, as it does the same before it: the three
// executions that go back to A too early come last.
TEST(PrioritySs, DefersWhatOnlyRepeatsOthers) {
  TreeSearch search = bounded_by("ss");
  ToyTraces made = traces_of(search, "A: store x; load x | B: store y; load y");
  ASSERT_EQ(made.threads.size(), 6u);
  std::vector<std::string> first(made.threads.begin(), made.threads.begin() + 3);
  std::vector<std::string> last(made.threads.begin() + 3, made.threads.end());
  EXPECT_THAT(first, ElementsAre("AABB", "ABBA", "BBAA"));
  EXPECT_THAT(last, UnorderedElementsAre("ABAB", "BABA", "BAAB"));
}

// What depends on the sleeper's step wakes it.
TEST(PrioritySs, ADependentStepWakes) {
  TreeSearch search = bounded_by("ss");
  ToyTraces made = traces_of(search, "A: store x; load x | B: load y; store x");
  ASSERT_EQ(made.threads.size(), 6u);
  // B's second step conflicts with all of A's: only going back to A before it is asleep, and what
  // is found there comes after it.
  EXPECT_THAT(std::vector(made.threads.end() - 3, made.threads.end()),
              UnorderedElementsAre("ABAB", "BAAB", "BABA"));
}

}  // namespace
}  // namespace raddle::search
