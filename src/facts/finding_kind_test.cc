// SPDX-License-Identifier: Apache-2.0
//
// Names of finding kinds, which scripts depend on.
#include "facts/finding_kind.h"

#include <gtest/gtest.h>

#include <set>

namespace raddle::facts {
namespace {

TEST(FindingKind, NamesAndKindsAreInverse) {
  std::set<std::string_view> names;
  for (const FindingKind& kind : finding_kinds()) {
    auto found = finding_kind(kind.name);
    ASSERT_TRUE(found.has_value()) << kind.name;
    EXPECT_EQ(found->severity, kind.severity) << kind.name;
    EXPECT_EQ(found->suppressions, kind.suppressions) << kind.name;
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " is there twice";
  }
}

TEST(FindingKind, UnknownNamesAreRefused) {
  EXPECT_FALSE(finding_kind("").has_value());
  EXPECT_FALSE(finding_kind("dead-lock").has_value());
  EXPECT_FALSE(finding_kind("Deadlock").has_value());
  EXPECT_EQ(finding_kind("data-race"), FindingKind::data_race);
}

TEST(FindingKind, NamesAreThoseOfTheCommandLine) {
  std::set<std::string_view> names;
  for (const FindingKind& kind : finding_kinds()) names.insert(kind.name);
  EXPECT_EQ(names,
            (std::set<std::string_view>{
                "assertion",          "crash",         "stack-overflow",     "exception",
                "exit-code",          "deadlock",      "livelock",           "hang",
                "sync-misuse",        "leaked-thread", "use-after-free",     "double-free",
                "heap-overflow",      "data-race",     "potential-deadlock", "atomicity-violation",
                "schedule-violation", "check",         "schedule-deadlock",  "inconsistent-locks",
                "lockstep-livelock"}));
}

}  // namespace
}  // namespace raddle::facts
