// SPDX-License-Identifier: Apache-2.0
//
// Local pairs: which are kept, and what they make of dependencies. Most is tested through
// idiom_predictor_test.cc.
#include "analysis/idiom_pairs.h"

#include <gtest/gtest.h>

#include "testing/trace_text.h"

namespace raddle::analysis {
namespace {

using trace_text::text_of;
using trace_text::Texts;

class Maker {
 public:
  explicit Maker(std::uint32_t window = 16) : pairs(window) { pairs.begin(); }

  // The next operation of the thread, to a variable that it has not touched before.
  std::uint32_t access(ThreadId thread, SiteId site, std::uint32_t variable,
                       const Lockset& locks = {}) {
    SharedAccess access;
    access.thread = thread;
    access.site = site;
    access.variable = variable;
    access.where = wire::make_location(wire::Region::heap, variable, 0);
    access.size = 4;
    access.kind = wire::OpKind::plain_write;
    access.role = AccessRole::write;
    access.op = ++ops[thread];
    std::uint32_t id = pairs.intern(access, locks);
    std::uint32_t slot = IdiomPairs::kNone;
    pairs.made(id, access, 0, slot, {});
    return id;
  }
  Texts found() {
    IRootSet set;
    pairs.correlate([](std::uint32_t, std::uint32_t) { return true; }, set);
    Texts texts;
    for (const IRoot& root : set.roots()) texts.insert(text_of(root));
    return texts;
  }

  IdiomPairs pairs;
  std::uint32_t ops[4] = {1, 1, 1, 1};
};

TEST(IdiomPairs, NeedsBothDependencies) {
  Maker maker;
  std::uint32_t a = maker.access(1, 1, 0), d = maker.access(1, 2, 1);
  std::uint32_t b = maker.access(2, 3, 0), c = maker.access(2, 4, 1);
  EXPECT_TRUE(maker.found().empty());
  EXPECT_TRUE(maker.pairs.relate(a, b));
  EXPECT_FALSE(maker.pairs.relate(a, b)) << "known";
  EXPECT_TRUE(maker.found().empty());
  EXPECT_TRUE(maker.pairs.relate(c, d));
  EXPECT_EQ(maker.found(), (Texts{"4: 1>3 4>2"}));
  maker.pairs.forget();
  EXPECT_TRUE(maker.found().empty());
}

TEST(IdiomPairs, TheSameSitesAreKeptAFewTimes) {
  Maker maker;
  // A loop over a long array.
  for (std::uint32_t i = 0; i < 1000; ++i) maker.access(1, 1, 2 * i), maker.access(1, 2, 2 * i + 1);
  // Every access is one, and there are four pairs of sites with kPairVariants pairs each.
  EXPECT_EQ(maker.pairs.entries(), 2000u + 1 + 4 * kPairVariants);
  EXPECT_FALSE(maker.pairs.truncated());
}

TEST(IdiomPairs, SaysWhenThereAreTooMany) {
  Maker maker;
  for (std::uint32_t i = 0; i < kAccessesMax; ++i) maker.access(1, 1, i);
  EXPECT_FALSE(maker.pairs.truncated());
  SharedAccess one_more;
  one_more.variable = kAccessesMax;
  EXPECT_EQ(maker.pairs.intern(one_more, {}), IdiomPairs::kNone);
  EXPECT_TRUE(maker.pairs.truncated());
  maker.pairs.begin();
  EXPECT_FALSE(maker.pairs.truncated());
}

}  // namespace
}  // namespace raddle::analysis
