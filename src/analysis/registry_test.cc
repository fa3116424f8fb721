// SPDX-License-Identifier: Apache-2.0
//
// Every registered analysis is usable and forgets the last run.
#include "analysis/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace raddle::analysis {
namespace {

TEST(AnalysisRegistry, NamesAreUniqueAndMakeAnalyses) {
  std::set<std::string_view> names;
  for (const Registered& registered : analyses()) {
    EXPECT_TRUE(names.insert(registered.name).second) << registered.name;
    EXPECT_FALSE(registered.description.empty());
    EXPECT_NE(make_analysis(registered.name), nullptr);
  }
  EXPECT_EQ(make_analysis("no-such"), nullptr);
}

TEST(AnalysisRegistry, NothingIsFoundInAnEmptyRun) {
  for (const Registered& registered : analyses()) {
    std::unique_ptr<Analysis> analysis = registered.make();
    Findings findings;
    for (int run = 0; run < 3; ++run) {
      analysis->begin();
      analysis->finish(facts::Run{}, findings);
    }
    EXPECT_TRUE(findings.empty()) << registered.name;
  }
}

}  // namespace
}  // namespace raddle::analysis
