// SPDX-License-Identifier: Apache-2.0
//
// Depth-first enumerations that are cut into campaigns, and how far they say they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "search/dfs.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

TEST(DfsState, AnEnumerationInPiecesMakesTheSameRuns) {
  std::string path = ::testing::TempDir() + "raddle_dfs_state";
  for (const char* program : {"A: step; step | B: step; step | C: step; step",
                              "A: lock a; lock b; unlock b; unlock a | B: lock b; lock a; unlock "
                              "a; unlock b | C: choose 3"}) {
    SCOPED_TRACE(program);
    Dfs whole(toy_options());
    ToyFindings expected = explore(whole, program);
    std::uint64_t runs = 0;
    std::multiset<std::string> classes, deadlocks;
    std::string promise;
    bool finished = false;
    for (int piece = 0; !finished && piece < 1000; ++piece) {
      Dfs search(toy_options());
      if (piece > 0) {
        ASSERT_TRUE(search.load(path, "toy"));
        EXPECT_EQ(search.guarantee(), promise);
      }
      ToyFindings found = explore(search, program, 7);
      runs += found.runs;
      classes.insert(found.classes.begin(), found.classes.end());
      deadlocks.insert(found.deadlocks.begin(), found.deadlocks.end());
      promise = search.guarantee();
      finished = search.finished();
      EXPECT_NE(search.resumable(), finished);
      if (!finished) {
        ASSERT_TRUE(search.save(path, "toy"));
      }
    }
    EXPECT_EQ(runs, expected.runs);
    EXPECT_EQ(classes, expected.classes);
    EXPECT_EQ(deadlocks, expected.deadlocks);
    EXPECT_EQ(promise, whole.guarantee());
  }
  std::filesystem::remove(path);
}

TEST(DfsState, TheEstimateIsExactWhereTheTreeIsEven) {
  Dfs search(toy_options());
  EXPECT_FALSE(search.estimate());
  explore(search, "A: choose 10 | B: choose 10", 25);
  ASSERT_TRUE(search.estimate());
  EXPECT_NEAR(search.estimate()->runs, 200, 1) << "two threads in either order, ten values each";
  EXPECT_THAT(search.guarantee(), HasSubstr("an estimated 200 runs, 12 % done"));
  explore(search, "A: choose 10 | B: choose 10");
  EXPECT_FALSE(search.estimate());
}

}  // namespace
}  // namespace raddle::search
