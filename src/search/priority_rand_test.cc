// SPDX-License-Identifier: Apache-2.0
//
// In random order: a random walk of the execution tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

using ::testing::UnorderedElementsAreArray;

constexpr const char* kProgram = "A: step; step; step | B: step; step; step";

std::vector<std::string> walk(std::uint64_t seed) {
  PlanOptions options = toy_options();
  options.seed = seed;
  TreeSearch search(options, {.priority = *Priority::parse("rand")});
  std::vector<std::string> made = traces_of(search, kProgram).threads;
  EXPECT_TRUE(search.complete());
  EXPECT_TRUE(search.tree().empty());
  return made;
}

TEST(PriorityRand, IsWhatWasDrawn) {
  ToyExecution run("A: w x | B: r x");
  Alternative other = run.at(0, 1);
  other.random = 0x1234567800000000;
  EXPECT_EQ(priority_rand(other), 0x12345678u);
}

TEST(PriorityRand, EverySeedIsAnotherOrderOfTheSameRuns) {
  std::vector<std::string> one = walk(1);
  EXPECT_EQ(std::set(one.begin(), one.end()).size(), 20u);  // of 6 steps, which 3 are A's
  EXPECT_EQ(one.size(), 20u);
  EXPECT_EQ(walk(1), one);
  std::vector<std::string> two = walk(2);
  EXPECT_NE(two, one);
  EXPECT_THAT(two, UnorderedElementsAreArray(one));
  EXPECT_EQ(one[0], two[0]);  // the default behaviour is where every walk begins
}

}  // namespace
}  // namespace raddle::search
