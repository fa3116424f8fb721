// SPDX-License-Identifier: Apache-2.0
//
// iRoots in words.
#include "report/idiom_words.h"

#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::report {
namespace {

using wire::OpKind;

TEST(IdiomWords, ArrowsAreDependencies) {
  FakeNames names;
  names.site(1, "bank.cpp", 4, "pay").site(2, "bank.cpp", 5, "pay").site(3, "bank.cpp", 9, "take");
  names.variable(0x100, "x").variable(0x200, "y");
  auto x = FakeNames::global(0x100), y = FakeNames::global(0x200);
  IdiomAccess a = idiom_access(1, OpKind::plain_read, x, names);
  IdiomAccess b = idiom_access(3, OpKind::plain_write, x, names);
  IdiomAccess c = idiom_access(3, OpKind::plain_write, y, names);
  IdiomAccess d = idiom_access(2, OpKind::atomic_load, y, names);
  auto words = [](unsigned idiom, std::vector<IdiomAccess> accesses) {
    return idiom_words(idiom, accesses);
  };
  EXPECT_EQ(words(1, {a, b}), "idiom 1: read of `x` at bank.cpp:4 => write at bank.cpp:9");
  EXPECT_EQ(words(2, {a, b, a}),
            "idiom 2: read of `x` at bank.cpp:4 => write at bank.cpp:9 => read at bank.cpp:4");
  EXPECT_EQ(words(3, {a, b, b, a}),
            "idiom 3: read of `x` at bank.cpp:4 => write at bank.cpp:9 .. write at bank.cpp:9 => "
            "read at bank.cpp:4");
  const std::string first = "read of `x` at bank.cpp:4 => write at bank.cpp:9";
  const std::string second = "write of `y` at bank.cpp:9 => atomic-load at bank.cpp:5";
  EXPECT_EQ(words(4, {a, b, c, d}), "idiom 4: " + first + " .. " + second);
  EXPECT_EQ(words(5, {a, b, c, d}), "idiom 5: " + first + ", " + second + " (crossing)");
  EXPECT_EQ(words(6, {a, b, c, d}), "idiom 6: " + first + ", " + second + " (same way)");
}

TEST(IdiomWords, WhatIsUnknownIsLeftOut) {
  FakeNames names;
  IdiomAccess a = idiom_access(7, OpKind::mutex_unlock, {}, names);
  EXPECT_EQ(idiom_words(1, std::vector{a, a}),
            "idiom 1: unlock at an unknown place => unlock at an unknown place");
  a.variable = "heap block #12 + 8";
  EXPECT_EQ(idiom_words(1, std::vector{a, a}),
            "idiom 1: unlock of heap block #12 + 8 at an unknown place => unlock at an unknown "
            "place");
}

}  // namespace
}  // namespace raddle::report
