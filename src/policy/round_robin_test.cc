// SPDX-License-Identifier: Apache-2.0
//
// RoundRobinPolicy on toy programs, traces written out. Tests only.
#include "policy/round_robin.h"

#include <gtest/gtest.h>

#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

std::string trace_of(std::string_view text) {
  toy::Runner runner(text);
  return toy::trace(runner.program_of(), runner.run(toy::plan_for("round-robin")));
}

TEST(RoundRobin, TakesTurnsInTheOrderOfIds) {
  EXPECT_EQ(trace_of("A: r a; r b; r c | B: r d; r e | C: r f; r g; r h"),
            "A: r a; B: r d; C: r f; A: r b; B: r e; C: r g; A: r c; C: r h");
}

TEST(RoundRobin, PassesOverBlockedThreads) {
  EXPECT_EQ(trace_of("A: lock m; step; step; unlock m | B: lock m; unlock m | C: r x; r y; r z"),
            "A: lock m; C: r x; A: step; C: r y; A: step; C: r z; A: unlock m; B: lock m; "
            "B: unlock m");
}

TEST(RoundRobin, WrapsAroundAfterTheLastId) {
  ThreadSet enabled;
  enabled.add(2);
  enabled.add(130);
  RoundRobinPolicy policy;
  auto pick_after = [&](ThreadId current) {
    return policy.pick({enabled, nullptr, 131, current, 0});
  };
  EXPECT_EQ(pick_after(kNoThread), 2);
  EXPECT_EQ(pick_after(0), 2);
  EXPECT_EQ(pick_after(2), 130);
  EXPECT_EQ(pick_after(129), 130);
  EXPECT_EQ(pick_after(130), 2);
}

TEST(RoundRobin, SeedDoesNotMatterAndValuesAreZero) {
  toy::Runner runner("A: choose 5; w x $ | B: step; step");
  toy::Outcome run = runner.run(toy::plan_for("round-robin", 1));
  EXPECT_EQ(toy::state(run), "x=0");
  EXPECT_EQ(runner.run(toy::plan_for("round-robin", 99)).choices, run.choices);
}

}  // namespace
}  // namespace raddle::policy
