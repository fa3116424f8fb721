// SPDX-License-Identifier: Apache-2.0
//
// The lines of the log, and how many there are.
#include "campaign/search_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace raddle::campaign {
namespace {

using ::testing::HasSubstr;

TEST(SearchLog, HasLinesAtOnceAndThenLessAndLessOften) {
  std::string path = ::testing::TempDir() + "raddle_search_log.csv";
  setenv("RADDLE_SEARCH_LOG", path.c_str(), 1);
  {
    auto log = SearchLog::open();
    ASSERT_TRUE(log && *log);
    facts::SearchSize size;
    size.nodes = 7;
    size.tree_bytes = 112;
    size.set_bytes = 16;
    size.open = 5;
    for (std::uint64_t runs = 1; runs <= 1'000'000; ++runs)
      if ((*log)->due(runs)) (*log)->add(runs, 0.25, size);
  }
  unsetenv("RADDLE_SEARCH_LOG");
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_EQ(lines[0], "schedules,seconds,nodes,bytes,done_bytes,fringe");
  EXPECT_EQ(lines[1], "1,0.250000,7,112,16,5");
  EXPECT_EQ(lines[100], "100,0.250000,7,112,16,5");
  EXPECT_GT(lines.size(), 1000u);
  EXPECT_LT(lines.size(), 3000u);
  std::filesystem::remove(path);
}

TEST(SearchLog, IsNothingUnlessAskedForAndNamesAFileThatItCannotWrite) {
  unsetenv("RADDLE_SEARCH_LOG");
  auto none = SearchLog::open();
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  setenv("RADDLE_SEARCH_LOG", "/nowhere/log.csv", 1);
  auto bad = SearchLog::open();
  unsetenv("RADDLE_SEARCH_LOG");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("RADDLE_SEARCH_LOG: cannot write /nowhere/log.csv"));
}

}  // namespace
}  // namespace raddle::campaign
