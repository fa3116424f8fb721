// SPDX-License-Identifier: Apache-2.0
//
// Which of printf's arguments are read and written. Engine side, as a test; the header is pure.
#include "runtime/format_strings.h"

#include <gtest/gtest.h>

#include <string>

namespace raddle::runtime {
namespace {

// What visiting finds, as text: "r3" for three bytes read, "w4" for four written.
std::string visited(const char* format, ...) {
  std::string found;
  va_list arguments;
  va_start(arguments, format);
  visit_arguments(
      format, arguments,
      [&](const void* text, const Conversion& conversion) {
        found += "r" + std::to_string(argument_bytes(text, conversion)) + " ";
      },
      [&](void*, std::size_t bytes) { found += "w" + std::to_string(bytes) + " "; });
  va_end(arguments);
  return found;
}

TEST(FormatStrings, ReadsStringsUpToTerminatorOrPrecision) {
  EXPECT_EQ(visited("%s", "abc"), "r4 ");
  EXPECT_EQ(visited("%-10s|%s", "abc", ""), "r4 r1 ");
  EXPECT_EQ(visited("%.2s", "abc"), "r2 ");
  EXPECT_EQ(visited("%.9s", "abc"), "r4 ");
  EXPECT_EQ(visited("%.*s", 1, "abc"), "r1 ");
  EXPECT_EQ(visited("%.*s", -1, "abc"), "r4 ");
  EXPECT_EQ(visited("%.s", "abc"), "r0 ");
  EXPECT_EQ(visited("%ls", L"a"), "r8 ");
  EXPECT_EQ(visited("%s", static_cast<const char*>(nullptr)), "");
}

TEST(FormatStrings, StepsOverEveryKindOfArgument) {
  EXPECT_EQ(visited("%d%5u%#lx%hhd%lld%zu%jd%td%s", 1, 2u, 3ul, 4, 5ll, size_t{6}, 7l, 8l, "a"),
            "r2 ");
  EXPECT_EQ(visited("%f%+.3e%Lg%a%s", 1.0, 2.0, 3.0l, 4.0, "ab"), "r3 ");
  EXPECT_EQ(visited("%*d%%%c%p%m%s", 4, 1, 'c', nullptr, "abc"), "r4 ");
  EXPECT_EQ(visited("%d%d%d%d%d%d%d%f%s%s", 1, 2, 3, 4, 5, 6, 7, 1.0, "a", "ab"), "r2 r3 ");
}

TEST(FormatStrings, CountsAreWritten) {
  int n = 0;
  EXPECT_EQ(visited("%n%hhn%hn%ln%s", &n, &n, &n, &n, "a"), "w4 w1 w2 w8 r2 ");
}

TEST(FormatStrings, StopsAtWhatItDoesNotKnow) {
  EXPECT_EQ(visited("%s%Y%s", "a", "b"), "r2 ");
  EXPECT_EQ(visited("%2$s%1$s", "a", "b"), "");
  EXPECT_EQ(visited("%s%", "a"), "r2 ");
  EXPECT_EQ(visited("%s%-", "a"), "r2 ");
  EXPECT_EQ(visited("no conversion"), "");
}

}  // namespace
}  // namespace raddle::runtime
