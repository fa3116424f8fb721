// SPDX-License-Identifier: Apache-2.0
//
// Catch2's main function for raddle_add_test(... CATCH2): compiled once in the user's project, not
// instrumented.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
