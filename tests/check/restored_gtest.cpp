// SPDX-License-Identifier: Apache-2.0
//
// The bodies of restored.h as tests of googletest, for restore_test.py.
#include <gtest/gtest.h>
#include <raddle/gtest.h>

#include "restored.h"

using namespace restored;

RADDLE_TEST(Restored, Everything) { EXPECT_EQ(count_everything(), ""); }
RADDLE_TEST(Restored, Seldom, RADDLE_OPTIONS(.strategy = "random", .schedules = 5000)) {
  EXPECT_EQ(leave_seldom(), 0);
}
RADDLE_TEST(Restored, Pages, RADDLE_OPTIONS(.strategy = "random", .schedules = 2000)) {
  EXPECT_TRUE(read_somewhere());
}
RADDLE_TEST(Restored, FirstUse) { EXPECT_TRUE(same_for_both()); }
RADDLE_TEST(Restored, Anchored) { fill_further(); }
RADDLE_TEST(Restored, Kept, RADDLE_OPTIONS(.restore = false)) { ++g_count; }
