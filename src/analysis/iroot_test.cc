// SPDX-License-Identifier: Apache-2.0
//
// What tells iRoots apart.
#include "analysis/iroot.h"

#include <gtest/gtest.h>

#include <set>

namespace raddle::analysis {
namespace {

using wire::OpKind;

TEST(IRoot, HashesTellIRootsApart) {
  IRoot root{4,
             4,
             {{{1, OpKind::plain_read, {}, 0},
               {2, OpKind::plain_write, {}, 1},
               {3, OpKind::plain_read, {}, 2},
               {4, OpKind::plain_write, {}, 3}}}};
  EXPECT_EQ(root.hash(), 14638650963954056064u) << "stored: it may not change";
  std::set<std::uint64_t> hashes{root.hash()};
  auto is_new = [&](IRoot other) { return hashes.insert(other.hash()).second; };
  IRoot other = root;
  other.parts[0].index = 9;
  EXPECT_FALSE(is_new(other));
  other.idiom = 3;
  EXPECT_TRUE(is_new(other));
  for (unsigned i = 0; i < 4; ++i) {
    other = root;
    other.parts[i].site = 9;
    EXPECT_TRUE(is_new(other));
    other = root;
    other.parts[i].kind = OpKind::atomic_load;
    EXPECT_TRUE(is_new(other));
  }
}

TEST(IRoot, TheTwoFormsOfIdiomFiveAreOne) {
  IRoot::Part p[] = {{1, OpKind::plain_write, {}, 0},
                     {2, OpKind::plain_read, {}, 3},
                     {3, OpKind::plain_write, {}, 1},
                     {4, OpKind::plain_read, {}, 2}};
  for (std::uint8_t idiom = 4; idiom <= 6; ++idiom) {
    IRootSet set;
    EXPECT_TRUE(set.add({idiom, 4, {{p[2], p[3], p[0], p[1]}}}));
    EXPECT_EQ(set.add({idiom, 4, {{p[0], p[1], p[2], p[3]}}}), idiom != 5);
    EXPECT_FALSE(set.add({idiom, 4, {{p[2], p[3], p[0], p[1]}}}));
    EXPECT_EQ(set.roots()[0].parts[0].site, idiom == 5 ? 1u : 3u);
    set.clear();
    EXPECT_TRUE(set.add({idiom, 4, {{p[0], p[1], p[2], p[3]}}}));
  }
}

}  // namespace
}  // namespace raddle::analysis
