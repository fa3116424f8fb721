// SPDX-License-Identifier: Apache-2.0
//
// The list of coverage observers. Engine side.
#include <gtest/gtest.h>

#include <set>

#include "analysis/coverage.h"

namespace raddle::analysis {
namespace {

TEST(CoverageObservers, EveryCriterionHasANameOfItsOwn) {
  std::set<std::string_view> names;
  std::size_t count = 0;
  for (const auto& observer : make_coverage_observers())
    for (const Criterion& criterion : observer->criteria()) {
      ++count;
      names.insert(criterion.name);
      EXPECT_FALSE(criterion.description.empty());
    }
  EXPECT_EQ(names.size(), count);
  EXPECT_TRUE(names.contains("all") && names.contains("lr-def"));
}

}  // namespace
}  // namespace raddle::analysis
