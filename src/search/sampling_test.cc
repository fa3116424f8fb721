// SPDX-License-Identifier: Apache-2.0
//
// Sampling driven over toy runs: in which order it plans and when it ends.
#include "search/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Sampling, FirstRunDoesNotPreemptAndTheRestSample) {
  Sampling search("random", toy_options());
  auto plans = drive(search, 3, quiet_toy);
  EXPECT_THAT(policies_of(plans), ElementsAre("nonpreemptive", "random", "random"));
}

TEST(Sampling, DeterministicPolicyEndsWhenNothingNewCanHappen) {
  Sampling search("round-robin", toy_options());
  auto plans = drive(search, 100, quiet_toy);
  EXPECT_THAT(policies_of(plans), ElementsAre("nonpreemptive", "round-robin", "round-robin"));
  EXPECT_THAT(search.guarantee(), HasSubstr("only schedule of round-robin"));
  EXPECT_TRUE(search.complete());
  // A program that asks for random numbers runs differently with every seed.
  Sampling seeded("round-robin", toy_options());
  auto many = drive(seeded, 20, [](const facts::Plan& plan, std::uint64_t) {
    ToyRun run = toy_exit(0);
    wire::Event event = toy_access(wire::OpKind::atomic_load, 1);
    event.value = plan.header.seed;
    run.events = {event};
    return run;
  });
  EXPECT_EQ(many.size(), 20u);
  EXPECT_FALSE(seeded.complete());
}

}  // namespace
}  // namespace raddle::search
