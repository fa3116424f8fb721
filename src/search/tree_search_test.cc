// SPDX-License-Identifier: Apache-2.0
//
// The tree search on toy programs against brute force. Tests only.
#include "search/tree_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_enumerate.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

TreeSearch dpor() { return {toy_options(), TreeOptions{.ways = Ways::reversals}}; }

struct Known {
  const char* program;
  std::uint64_t traces;
};

TEST(Dpor, KnownNumbersOfTraces) {
  const Known known[] = {
      {"A: step; step | B: step; step | C: step; step", 1},
      {"A: inc x | B: inc y | C: inc z", 1},
      {"A: inc x | B: inc x | C: inc x", 6},
      {"A: w x; r y | B: w y; r x", 3},
      {"A: lock m; inc x; unlock m | B: lock m; inc x; unlock m | C: lock m; inc x; unlock m", 6},
      {"A: lock m; inc x; unlock m; lock m; inc x; unlock m | B: lock m; inc x; unlock m; lock m; "
       "inc x; unlock m | C: lock m; inc x; unlock m; lock m; inc x; unlock m",
       90},
      {"A: lock a; lock b; unlock b; unlock a | B: lock b; lock c; unlock c; unlock b | "
       "C: lock c; lock a; unlock a; unlock c",
       7},
  };
  for (const Known& k : known) {
    TreeSearch search = dpor();
    ToyFindings found = explore(search, k.program);
    EXPECT_TRUE(search.complete()) << k.program;
    EXPECT_EQ(found.runs, k.traces) << k.program;
    EXPECT_EQ(found.blocked, 0u) << k.program;
    EXPECT_TRUE(search.tree().empty());
    toy::Census census = toy::enumerate(k.program);
    EXPECT_EQ(census.classes.size() + census.deadlock_classes.size(), k.traces) << k.program;
  }
}

}  // namespace
}  // namespace raddle::search
