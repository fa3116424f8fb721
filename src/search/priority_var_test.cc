// SPDX-License-Identifier: Apache-2.0
//
// Three levels: what is put off and what is put before it concern a variable that is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

constexpr const char* kProgram = "A: w x; w y | B: r x; r y";

TEST(PriorityVar, HasThreeLevels) {
  ToyExecution run(kProgram);
  ToyFocus none, x, y;
  x.add_variable(run.program(), "x");
  y.add_variable(run.program(), "y");
  EXPECT_EQ(priority_var(run.at(0, 1, &none)), 2u);
  EXPECT_EQ(priority_var(run.at(0, 1, &x)), 0u);
  EXPECT_EQ(priority_var(run.at(1, 1, &x)), 1u);  // A's next operation is on y
  EXPECT_EQ(priority_var(run.at(0, 1, &y)), 2u);
  EXPECT_EQ(priority_var(run.at(0, 1, nullptr)), 2u);
}

// A wait concerns the condition variable and gives back the mutex.
TEST(PriorityVar, LooksAtAllThatAStepDoes) {
  ToyExecution run("A: lock m; wait c m; unlock m | B: lock m; signal c; unlock m");
  ToyFocus m, c;
  m.add_variable(run.program(), "m");
  c.add_variable(run.program(), "c");
  EXPECT_EQ(priority_var(run.at(0, 1, &m)), 0u);
  EXPECT_EQ(priority_var(run.at(0, 1, &c)), 2u);
}

TEST(PriorityVar, ChangesWhatComesFirst) {
  ToyExecution run(kProgram);
  ToyFocus x, y;
  x.add_variable(run.program(), "x");
  y.add_variable(run.program(), "y");
  TreeSearch one = bounded_by("var", &x);
  TreeSearch two = bounded_by("var", &y);
  EXPECT_EQ(traces_of(one, kProgram, 2).threads[1], "BBAA");
  EXPECT_EQ(traces_of(two, kProgram, 2).threads[1], "ABBA");
}

}  // namespace
}  // namespace raddle::search
