// SPDX-License-Identifier: Apache-2.0
//
// The bodies of restored.h as tests of Catch2, for restore_test.py.
#define CATCH_CONFIG_MAIN
#include <raddle/catch2.h>

#include <catch2/catch.hpp>

#include "restored.h"

using namespace restored;

RADDLE_TEST_CASE("everything") { REQUIRE(count_everything() == ""); }
RADDLE_TEST_CASE("seldom", RADDLE_OPTIONS(.strategy = "random", .schedules = 5000)) {
  REQUIRE(leave_seldom() == 0);
}
RADDLE_TEST_CASE("first use") { REQUIRE(same_for_both()); }
