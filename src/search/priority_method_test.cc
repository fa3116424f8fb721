// SPDX-License-Identifier: Apache-2.0
//
// Three levels, as Gambit gives them: preempted and preempting function are among those named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

constexpr const char* kProgram = "A: w x; w y | B: r x; r y";

TEST(PriorityMethod, HasThreeLevels) {
  ToyExecution run(kProgram);
  ToyFocus focus;
  EXPECT_EQ(priority_method(run.at(0, 1, &focus)), 2u);
  focus.add_operation(1, 0);
  EXPECT_EQ(priority_method(run.at(0, 1, &focus)), 1u);  // preempting
  focus.add_operation(0, 0);
  EXPECT_EQ(priority_method(run.at(0, 1, &focus)), 0u);  // and preempted
  EXPECT_EQ(priority_method(run.at(1, 1, &focus)), 1u);  // A is in its second operation there
  EXPECT_EQ(priority_method(run.at(0, 1, nullptr)), 2u);
}

TEST(PriorityMethod, KnowsOperationsThatWereNeverReached) {
  ToyExecution run("A: assert x 1 | B: w x");
  EXPECT_EQ(run.trace(), "A: assert x 1");
  ToyFocus focus;
  focus.add_operation(1, 0);
  EXPECT_EQ(priority_method(run.at(0, 1, &focus)), 1u);
}

TEST(PriorityMethod, ChangesWhatComesFirst) {
  ToyFocus first, second;
  first.add_operation(0, 0);
  second.add_operation(0, 1);
  TreeSearch one = bounded_by("method", &first);
  TreeSearch two = bounded_by("method", &second);
  EXPECT_EQ(traces_of(one, kProgram, 2).threads[1], "BBAA");
  EXPECT_EQ(traces_of(two, kProgram, 2).threads[1], "ABBA");
}

}  // namespace
}  // namespace raddle::search
