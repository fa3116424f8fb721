// SPDX-License-Identifier: Apache-2.0
//
// What tells properties apart. Engine side.
#include "analysis/coverage.h"

#include <gtest/gtest.h>

#include <set>

namespace raddle::analysis {
namespace {

PropertyPart part(SiteId site, wire::OpKind kind, ThreadId thread, std::uint16_t nth) {
  return {site, kind, thread, nth, {}};
}

std::uint64_t hash(const std::vector<PropertyPart>& parts, std::uint8_t form = 0,
                   std::string_view criterion = "pinv") {
  return property_hash(criterion, form, parts);
}

TEST(Coverage, EveryFieldOfAPropertyTellsItApart) {
  PropertyPart a = part(5, wire::OpKind::plain_read, 1, 1);
  PropertyPart b = part(6, wire::OpKind::plain_write, 2, 1);
  std::set<std::uint64_t> hashes = {
      hash({a, b}),
      hash({b, a}),
      hash({a}),
      hash({a, b}, 1),
      hash({a, b}, 0, "def-use"),
      hash({part(7, a.kind, 1, 1), b}),
      hash({part(5, wire::OpKind::plain_write, 1, 1), b}),
      hash({part(5, a.kind, 3, 1), b}),
      hash({part(5, a.kind, 1, 2), b}),
      hash({part(5, a.kind, kNoThread, 0), b}),
  };
  EXPECT_EQ(hashes.size(), 10u);
}

TEST(Coverage, WhereAnAccessWasIsNoPartOfIt) {
  PropertyPart a = part(5, wire::OpKind::plain_read, 1, 1);
  PropertyPart elsewhere = a;
  elsewhere.where = wire::make_location(wire::Region::heap, 12, 8);
  EXPECT_EQ(hash({a}), hash({elsewhere}));
}

}  // namespace
}  // namespace raddle::analysis
