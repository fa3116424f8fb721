// SPDX-License-Identifier: Apache-2.0
//
// Slips that people make, and words that resemble nothing.
#include "launch/did_you_mean.h"

#include <gtest/gtest.h>

namespace raddle::launch {
namespace {

TEST(EditDistance, CountsTheFourKindsOfSlips) {
  EXPECT_EQ(edit_distance("pct", "pct"), 0u);
  EXPECT_EQ(edit_distance("pt", "pct"), 1u);
  EXPECT_EQ(edit_distance("pctt", "pct"), 1u);
  EXPECT_EQ(edit_distance("pxt", "pct"), 1u);
  EXPECT_EQ(edit_distance("ptc", "pct"), 1u);
  EXPECT_EQ(edit_distance("", "pct"), 3u);
  EXPECT_EQ(edit_distance("abcdef", "badcfe"), 3u);
}

TEST(DidYouMean, SuggestsTheNearestNameOnly) {
  EXPECT_EQ(did_you_mean("radnom", {"auto", "random", "round-robin"}), ", did you mean random?");
  EXPECT_EQ(did_you_mean("rand", {"auto", "random"}), ", did you mean random?");
  EXPECT_EQ(did_you_mean("bicycle", {"auto", "random"}), "");
  EXPECT_EQ(did_you_mean("", {"auto"}), "");
}

}  // namespace
}  // namespace raddle::launch
