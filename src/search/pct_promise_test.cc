// SPDX-License-Identifier: Apache-2.0
//
// The bound in words, with numbers worked out by hand.
#include "search/pct_promise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/sampling.h"
#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

TEST(PctPromise, CountsOnlyRunsThatMetItsConditions) {
  PlanOptions shallow = toy_options();
  shallow.depth = 2;
  Sampling search("pct", shallow);
  drive(search, 11, [](const facts::Plan&, std::uint64_t number) {
    ToyRun run = toy_exit(0, 10);
    run.thread_count = 2;
    if (number == 3) run.fairness_cuts = 1;
    if (number == 4) run.steps = 50;  // longer than its plan expected
    return run;
  });
  // n = 2, k = 50: 1 / (2 * 50) = 0.01; ten runs of pct, two of them disqualified.
  EXPECT_THAT(search.guarantee(), HasSubstr("at least 0.01 (n = 2 threads, k = 50 steps); 8 such"));
}

}  // namespace
}  // namespace raddle::search
