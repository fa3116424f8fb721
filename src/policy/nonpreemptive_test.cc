// SPDX-License-Identifier: Apache-2.0
//
// NonpreemptivePolicy on toy programs, traces written out. Tests only.
#include "policy/nonpreemptive.h"

#include <gtest/gtest.h>

#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

TEST(Nonpreemptive, RunsEveryThreadToItsEndInTheOrderOfIds) {
  toy::Runner runner("A: r a; r b | B: r c; r d | C: r e; r f");
  toy::Outcome run = runner.run(toy::plan_for("nonpreemptive"));
  EXPECT_EQ(toy::trace(runner.program_of(), run), "A: r a; A: r b; B: r c; B: r d; C: r e; C: r f");
  EXPECT_EQ(run.switches, 2u);
}

TEST(Nonpreemptive, SwitchesOnlyWhereTheThreadCannotGoOn) {
  toy::Runner runner("A: semwait s; r a | B: r b; post s; r c");
  toy::Outcome run = runner.run(toy::plan_for("nonpreemptive"));
  // B is not left at the post, though A, the lower id, could go on from there.
  EXPECT_EQ(toy::trace(runner.program_of(), run),
            "B: r b; B: post s; B: r c; A: semwait s; A: r a");
}

TEST(Nonpreemptive, SeedDoesNotMatterAndValuesAreZero) {
  toy::Runner runner("A: choose 5; w x $ | B: step; step");
  toy::Outcome run = runner.run(toy::plan_for("nonpreemptive", 1));
  EXPECT_EQ(toy::state(run), "x=0");
  EXPECT_EQ(runner.run(toy::plan_for("nonpreemptive", 99)).choices, run.choices);
}

}  // namespace
}  // namespace raddle::policy
