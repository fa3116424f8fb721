// SPDX-License-Identifier: Apache-2.0
//
// Fewer preemptions first, on the executions of Gambit's Figure 3.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;

constexpr const char* kFigure3 = "A: step; step | B: step; step";

TEST(PriorityPb, CountsThePreemptionsOfTheRunThatWouldBeMade) {
  ToyExecution root(kFigure3);
  EXPECT_EQ(root.trace(), "A: step; A: step; B: step; B: step");
  EXPECT_EQ(priority_pb(root.at(0, 1)), 0u);  // nobody has run yet
  EXPECT_EQ(priority_pb(root.at(1, 1)), 1u);
  ToyExecution child(kFigure3, {{.choice = 1, .pick = 1, .candidates = 2}});
  EXPECT_EQ(child.trace(), "A: step; B: step; B: step; A: step");
  EXPECT_EQ(priority_pb(child.at(2, 0)), 2u);
}

TEST(PriorityPb, ASwitchFromAThreadThatCannotGoOnIsNone) {
  ToyExecution run("A: step; semwait s | B: step; step; post s | C: step");
  EXPECT_EQ(run.trace(), "A: step; B: step; B: step; B: post s; A: semwait s; C: step");
  EXPECT_EQ(priority_pb(run.at(1, 2)), 0u);  // A waits: B or C
  EXPECT_EQ(priority_pb(run.at(2, 2)), 1u);  // B could go on
}

TEST(PriorityPb, AValueCostsNothing) {
  ToyExecution run("A: step; choose 2 | B: step", {{.choice = 1, .pick = 1, .candidates = 2}});
  EXPECT_EQ(run.trace(), "A: step; B: step; A: choose 2");
  EXPECT_EQ(priority_pb(run.at(2, 1)), 1u);  // as many as there were before it
}

TEST(PriorityPb, OrdersTheSixExecutionsOfFigure3) {
  TreeSearch search = bounded_by("pb");
  ToyTraces made = traces_of(search, kFigure3);
  EXPECT_THAT(made.preemptions, ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(made.threads, ElementsAre("AABB", "BBAA", "BAAB", "ABBA", "ABAB", "BABA"));
}

}  // namespace
}  // namespace raddle::search
