// SPDX-License-Identifier: Apache-2.0
//
// What partial-order reduction asks for without doubt first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/toy_priority.h"

namespace raddle::search {
namespace {

TEST(PriorityMdpor, HasThreeLevels) {
  ToyExecution run("A: w x | B: r x");
  Alternative other = run.at(0, 1);
  EXPECT_EQ(priority_mdpor(other), 2u);
  other.by_dpor = true;
  EXPECT_EQ(priority_mdpor(other), 0u);
  other.conservative = true;
  EXPECT_EQ(priority_mdpor(other), 1u);
}

TEST(PriorityMdpor, ValuesAreWithoutDoubt) {
  ToyExecution run("A: choose 2");
  EXPECT_EQ(priority_mdpor(run.at(0, 1)), 0u);
}

// Whether B's wait was possible before A's is not known, whether C's write was is.
TEST(PriorityMdpor, DefersWhatMayHaveToWait) {
  const char* program = "A: w x; post s | B: semwait s | C: w x";
  Reversals reversals;
  TreeSearch search = bounded_by("mdpor");
  ToyTraces made = traces_of(search, program);
  EXPECT_EQ(made.threads[0], "AABC");
  EXPECT_EQ(made.threads[1][0], 'C') << made.threads[1];
}

}  // namespace
}  // namespace raddle::search
