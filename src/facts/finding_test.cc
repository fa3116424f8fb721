// SPDX-License-Identifier: Apache-2.0
//
// Names of finding kinds, which scripts depend on.
#include "facts/finding.h"

#include <gtest/gtest.h>

namespace raddle::facts {
namespace {

TEST(FindingKind, NamesAndKindsAreInverse) {
  for (std::size_t i = 0; i < kFindingNames.size(); ++i) {
    auto kind = static_cast<FindingKind>(i);
    EXPECT_EQ(finding_kind(finding_name(kind)), kind) << finding_name(kind);
  }
}

TEST(FindingKind, UnknownNamesAreRefused) {
  EXPECT_FALSE(finding_kind("").has_value());
  EXPECT_FALSE(finding_kind("dead-lock").has_value());
  EXPECT_FALSE(finding_kind("Deadlock").has_value());
  EXPECT_EQ(finding_kind("data-race"), FindingKind::data_race);
}

}  // namespace
}  // namespace raddle::facts
