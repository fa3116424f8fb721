// SPDX-License-Identifier: Apache-2.0
//
// Nodes of an execution tree, run on toy programs. Tests only.
#include "policy/tree.h"

#include <gtest/gtest.h>

#include "policy/fairness.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using wire::OpKind;

struct Node {
  std::uint32_t choice;
  std::uint16_t pick;
  std::uint8_t candidates = 2;
  std::uint64_t asleep = 0;
  bool value = false;
};

class TreeRun {
 public:
  explicit TreeRun(const char* text, const std::vector<Node>& nodes = {},
                   std::vector<Filter*> filters = {})
      : program_(toy::program(text)) {
    toy::Conditions conditions{toy::plan_for("tree"), {}, std::move(filters)};
    facts::Deviations deviations;
    for (const Node& node : nodes)
      deviations.rows.push_back(
          {{node.choice, node.pick, node.value ? OpKind::value : OpKind::none, node.candidates},
           node.asleep});
    conditions.steering = deviations;
    outcome_ = toy::run(program_, policy_, conditions);
  }
  // The threads in the order of their steps: "AABB".
  std::string order() const {
    std::string text;
    for (const toy::Step& step : outcome_.steps) text += program_.bodies[step.body].name;
    return text;
  }
  const toy::Outcome& outcome() const { return outcome_; }
  const TreePolicy& policy() const { return policy_; }
  std::string reason() const { return policy_.reason() == nullptr ? "" : policy_.reason(); }

 private:
  toy::Program program_;
  TreePolicy policy_;
  toy::Outcome outcome_;
};

constexpr const char* kSteps = "A: step; step | B: step; step | C: step; step";

TEST(TreePolicy, GoesOnWithWhoRanLastElseWithTheLowest) {
  EXPECT_EQ(TreeRun(kSteps).order(), "AABBCC");
  EXPECT_EQ(TreeRun("init: s 0 | A: semwait s; step | B: step | C: post s; step").order(), "BCCAA");
  EXPECT_EQ(TreeRun("A: choose 3; w x $").outcome().variables.at("x"), 0);
}

TEST(TreePolicy, DeltasAreFollowedAndNothingElseChanges) {
  EXPECT_EQ(TreeRun(kSteps, {{0, 2, 3}}).order(), "CCAABB");
  EXPECT_EQ(TreeRun(kSteps, {{1, 1, 3}}).order(), "ABBACC");
  EXPECT_EQ(TreeRun(kSteps, {{1, 1, 3}, {2, 2, 3}}).order(), "ABCCAB");
  TreeRun value("A: choose 3; w x $ | B: step", {{1, 2, 3, 0, true}});
  EXPECT_EQ(value.outcome().variables.at("x"), 2);
  EXPECT_EQ(value.order(), "AAB");
}

TEST(TreePolicy, SleepersArePassedOverUntilADependentStep) {
  // A sleeps after B's first step; nothing depends on A, so the run is blocked when only A is left.
  TreeRun blocked(kSteps, {{0, 1, 3, 0b001}});
  EXPECT_EQ(blocked.outcome().end, toy::End::blocked);
  EXPECT_EQ(blocked.order(), "BBCC");
  EXPECT_TRUE(blocked.policy().blocked());
  EXPECT_EQ(blocked.reason(), "");
  // The write of x wakes who is about to read it.
  TreeRun woken("A: r x | B: step; w x; step | C: step", {{0, 1, 3, 0b001}});
  EXPECT_EQ(woken.outcome().end, toy::End::complete);
  EXPECT_EQ(woken.order(), "BBBAC");
  // Of several that are asleep, only the dependent one.
  TreeRun one("A: r x | B: step; w x | C: r y", {{0, 1, 3, 0b101}});
  EXPECT_EQ(one.order(), "BBA");
  EXPECT_EQ(one.outcome().end, toy::End::blocked);
}

TEST(TreePolicy, EveryDeltaBringsItsOwnSleepSet) {
  TreeRun run(kSteps, {{0, 1, 3, 0b001}, {1, 2, 3, 0b000}});
  EXPECT_EQ(run.outcome().end, toy::End::complete);
  EXPECT_EQ(run.order(), "BCCAAB");
}

TEST(TreePolicy, AChoiceAmongSleepersOnlyIsBlocked) {
  TreeRun run("A: step | B: step | C: step", {{0, 2, 3, 0b011}});
  EXPECT_EQ(run.outcome().end, toy::End::blocked);
  EXPECT_EQ(run.order(), "C");
  EXPECT_EQ(run.outcome().choices.size(), run.outcome().sets.size());
}

// Who has to move before A may go on depends on what came before the yield.
TEST(TreePolicy, YieldsThatMakeOthersMoveWakeEverybody) {
  FairnessFilter fairness;
  TreeRun run("A: yield; step | B: step | C: step", {{0, 0, 3, 0b110}}, {&fairness});
  EXPECT_EQ(run.outcome().end, toy::End::complete);
}

TEST(TreePolicy, LeavingThePathIsADivergence) {
  TreeRun fewer(kSteps, {{0, 1, 2}});
  EXPECT_EQ(fewer.outcome().end, toy::End::stopped);
  EXPECT_FALSE(fewer.policy().blocked());
  EXPECT_EQ(fewer.reason(), "the run had another number of candidates at this choice before");
  EXPECT_EQ(fewer.policy().diverged_at(), 0u);
  TreeRun gone("A: lock m; step | B: lock m; step | C: step", {{0, 0, 3}, {1, 1, 2}});
  EXPECT_EQ(gone.reason(), "the thread to go on with cannot run here");
  EXPECT_EQ(gone.policy().diverged_at(), 1u);
  TreeRun thread("A: choose 2 | B: step", {{1, 0, 2}});
  EXPECT_EQ(thread.reason(),
            "the run has to choose a value where it had to choose a thread before");
  TreeRun value(kSteps, {{0, 1, 3, 0, true}});
  EXPECT_EQ(value.reason(), "the run has to choose a thread where it had to choose a value before");
  TreeRun beyond("A: choose 2", {{0, 2, 2, 0, true}});
  EXPECT_EQ(beyond.outcome().end, toy::End::stopped);
}

TEST(TreePolicy, ThreadsInNoSetNeverSleep) {
  std::string text;
  for (int i = 0; i < 66; ++i) text += (i == 0 ? "T" : " | T") + std::to_string(i) + ": step";
  TreeRun run(text.c_str(), {{0, 65, 66, ~std::uint64_t{0}}});
  // All that can sleep do; the one that cannot goes on.
  EXPECT_EQ(run.outcome().steps.size(), 2u);
  EXPECT_EQ(run.outcome().steps[1].thread, 64);
  EXPECT_EQ(run.outcome().end, toy::End::blocked);
}

TEST(TreePolicy, StartsAfreshEveryRun) {
  toy::Runner runner(kSteps);
  toy::Conditions conditions{toy::plan_for("tree"), {}, {}};
  conditions.steering = facts::Deviations{{{{0, 1, OpKind::none, 3}, 0b001}}};
  EXPECT_EQ(runner.run(conditions).end, toy::End::blocked);
  EXPECT_EQ(runner.run(toy::plan_for("tree")).end, toy::End::complete);
  EXPECT_EQ(runner.run(conditions).end, toy::End::blocked);
}

}  // namespace
}  // namespace raddle::policy
