// SPDX-License-Identifier: Apache-2.0
//
// Idioms as criteria: each iRoot is a property of its own criterion.
#include "analysis/idiom_coverage.h"

#include <gtest/gtest.h>

#include "testing/trace_text.h"

namespace raddle::analysis {
namespace {

std::vector<CriterionRun> covered_by(const std::string& text) {
  IdiomCoverage coverage;
  std::vector<CriterionRun> results(coverage.criteria().size());
  coverage.begin();
  for (const wire::Event& event : trace_text::trace(text)) coverage.on_event(event);
  coverage.finish({}, results);
  return results;
}

TEST(IdiomCoverage, APropertyIsAnIRoot) {
  std::vector<CriterionRun> results = covered_by("1 r x; 2 w x; 1 r x");
  ASSERT_EQ(results.size(), 6u);
  ASSERT_EQ(results[0].covered.size(), 2u);
  ASSERT_EQ(results[1].covered.size(), 1u);
  for (unsigned i = 2; i < 6; ++i) EXPECT_TRUE(results[i].covered.empty());
  const Property& two = results[1].covered[0];
  ASSERT_EQ(two.count, 3u);
  EXPECT_EQ(two.parts[1].site, 2u);
  EXPECT_EQ(two.parts[1].kind, wire::OpKind::plain_write);
  EXPECT_EQ(two.parts[1].where, trace_text::place('x'));
  EXPECT_EQ(two.parts[1].thread, kNoThread);
  EXPECT_EQ(two.hash, property_hash("idiom2", 0, two.used()));
  EXPECT_FALSE(results[1].truncated);
}

TEST(IdiomCoverage, RunsAreProfiledUntilTheyBringNothingNew) {
  IdiomCoverage coverage;
  auto predicted = [&](const std::string& text) {
    std::vector<CriterionRun> results(coverage.criteria().size());
    coverage.begin();
    for (const wire::Event& event : trace_text::trace(text)) coverage.on_event(event);
    coverage.finish({}, results);
    return results[0].predicted.size();
  };
  const char* one = "1 r x; 2 w x";
  for (unsigned i = 0; i <= kQuietRuns; ++i) EXPECT_EQ(predicted(one), 2u) << i;
  unsigned rests = 0;
  while (predicted(one) == 0) ASSERT_LT(++rests, kProfileEvery);
  EXPECT_EQ(rests, kProfileEvery - 1);
  // Something new in a profiled run: the next ones are profiled too.
  for (unsigned i = 1; i < kProfileEvery; ++i) EXPECT_EQ(predicted(one), 0u);
  EXPECT_EQ(predicted("1 w x@7; 2 w x@8; 1 w y@9"), 2u);
  EXPECT_EQ(predicted(one), 2u);
}

TEST(IdiomCoverage, ThreadsAndPlacesTellNothingApart) {
  auto first = covered_by("1 r x@1; 2 w x@2; 1 r x@3"),
       second = covered_by("3 r y@1; 1 w y@2; 3 r y@3");
  for (unsigned i = 0; i < 2; ++i) EXPECT_EQ(first[i].covered[0].hash, second[i].covered[0].hash);
}

}  // namespace
}  // namespace raddle::analysis
