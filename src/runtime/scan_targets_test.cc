// SPDX-License-Identifier: Apache-2.0
//
// What scanf has written. Engine side, as a test; the header is pure.
#include "runtime/scan_targets.h"

#include <gtest/gtest.h>

#include <string>

namespace raddle::runtime {
namespace {

char text[] = "abc";

// The sizes of what is written, if `count` conversions were made.
std::string written(int count, const char* format, ...) {
  std::string found;
  va_list arguments;
  va_start(arguments, format);
  visit_targets(format, arguments, count,
                [&](void*, std::size_t bytes) { found += std::to_string(bytes) + " "; });
  va_end(arguments);
  return found;
}

TEST(ScanTargets, NumbersAreWrittenInTheirSizes) {
  EXPECT_EQ(written(4, "%d %hd %hhx %ld", text, text, text, text), "4 2 1 8 ");
  EXPECT_EQ(written(4, "%f%lf%Lf%p", text, text, text, text), "4 8 16 8 ");
}

TEST(ScanTargets, StringsAreWrittenWithTheirTerminators) {
  EXPECT_EQ(written(3, "%s%9s%c", text, text, text), "4 4 1 ");
  EXPECT_EQ(written(2, "%[^]a]%[a-z]", text, text), "4 4 ");
  EXPECT_EQ(written(2, "%5c%ms", text, text), "5 8 ");
}

TEST(ScanTargets, OnlyWhatWasConvertedCounts) {
  EXPECT_EQ(written(1, "%d %d", text, text), "4 ");
  EXPECT_EQ(written(1, "%*d%% %n%d", text, text), "4 ");
  EXPECT_EQ(written(-1, "%d", text), "");
  EXPECT_EQ(written(2, "%d%Y%d", text, text), "4 ");
  EXPECT_EQ(written(2, "%1$d", text), "");
  EXPECT_EQ(written(1, "%"), "");
}

}  // namespace
}  // namespace raddle::runtime
