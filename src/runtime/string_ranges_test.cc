// SPDX-License-Identifier: Apache-2.0
//
// How far functions on strings read. Engine side, as a test; the header is pure.
#include "runtime/string_ranges.h"

#include <gtest/gtest.h>

#include <string>

namespace raddle::runtime {
namespace {

TEST(StringRanges, AStringEndsWithItsTerminatorOrTheLimit) {
  EXPECT_EQ(string_bytes("abc"), 4u);
  EXPECT_EQ(string_bytes(""), 1u);
  EXPECT_EQ(string_bytes("abc", 2), 2u);
  EXPECT_EQ(string_bytes("abc", 3), 3u);
  EXPECT_EQ(string_bytes("abc", 100), 4u);
  EXPECT_EQ(string_bytes("abc", 0), 0u);
  EXPECT_EQ(string_bytes(L"ab"), 3 * sizeof(wchar_t));
}

TEST(StringRanges, ASearchEndsWithWhatItFinds) {
  EXPECT_EQ(bytes_to("abc", 3, 'b'), 2u);
  EXPECT_EQ(bytes_to("abc", 3, 'x'), 3u);
  const char* text = "abc";
  EXPECT_EQ(bytes_through(text, text + 1), 2u);
  EXPECT_EQ(bytes_through(text, nullptr), 4u);
}

TEST(StringRanges, AComparisonEndsWithTheFirstDifference) {
  EXPECT_EQ(compared_bytes("abc", "abd", 3), 3u);
  EXPECT_EQ(compared_bytes("abc", "xbc", 3), 1u);
  EXPECT_EQ(compared_bytes("abc", "abc", 2), 2u);
  EXPECT_EQ(compared_bytes("abc", "abc", 0), 0u);
  // Every place around the blocks in which it compares.
  for (size_t at : {0u, 1u, 63u, 64u, 65u, 127u, 128u, 199u}) {
    std::string a(200, 'a'), b = a;
    b[at] = 'b';
    EXPECT_EQ(compared_bytes(a.data(), b.data(), 200), at + 1);
  }
  EXPECT_EQ(compared_bytes(std::string(128, 'a').data(), std::string(128, 'a').data(), 128), 128u);
}

TEST(StringRanges, StringsAreComparedUpToTheTerminator) {
  auto same = [](char a, char b) { return a == b; };
  EXPECT_EQ(compared_string_bytes("abc", "abc", 100, same), 4u);
  EXPECT_EQ(compared_string_bytes("abc", "ab", 100, same), 3u);
  EXPECT_EQ(compared_string_bytes("abc", "abx", 2, same), 2u);
}

TEST(StringRanges, ATokenIsReadUpToItsSeparatorWhichIsOverwritten) {
  char text[] = ", ab,c";
  TokenRange first = token_range(text, ", ");
  EXPECT_EQ(first.read, 5u);
  EXPECT_EQ(first.end, text + 4);
  TokenRange last = token_range(text + 5, ", ");
  EXPECT_EQ(last.read, 2u);
  EXPECT_EQ(last.end, nullptr);
  char none[] = "  ";
  EXPECT_EQ(token_range(none, " ").read, 3u);
  EXPECT_EQ(token_range(none, " ").end, nullptr);
}

}  // namespace
}  // namespace raddle::runtime
