// SPDX-License-Identifier: Apache-2.0
//
// PrefixPolicy: how far a prefix is followed, and where it is dropped. Tests only.
#include "policy/prefix.h"

#include <gtest/gtest.h>

#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::plan_for;
using wire::ChoiceRecord;
using wire::OpKind;

// A choice of a thread that leaves step and operation open.
ChoiceRecord thread(ThreadId t) { return {0, t, OpKind::none, 0}; }
ChoiceRecord value(std::uint16_t v) { return {0, v, OpKind::value, 0}; }

class Prefix : public ::testing::Test {
 protected:
  // The trace under the prefix, then without preemption.
  std::string trace(const std::vector<ChoiceRecord>& prefix) {
    toy::Outcome run = runner_.run({plan_for("nonpreemptive"), facts::Choices{prefix}, {}});
    return toy::trace(runner_.program_of(), run);
  }
  const PrefixPolicy& policy() { return *runner_.storage().prefix; }

  toy::Runner runner_{"A: r a; r b | B: r c; choose 3; w x $; r d"};
};

TEST_F(Prefix, IsFollowedThenTheOtherPolicyDecides) {
  EXPECT_EQ(trace({thread(1), thread(0), thread(1)}),
            "B: r c; A: r a; B: choose 3; B: w x $; B: r d; A: r b");
  EXPECT_EQ(policy().followed(), 3u);
  EXPECT_FALSE(policy().dropped());
}

TEST_F(Prefix, GivesValues) {
  toy::Outcome run = runner_.run(
      {plan_for("nonpreemptive"), facts::Choices{{thread(1), thread(1), value(2)}}, {}});
  EXPECT_EQ(run.variables["x"], 2);
  EXPECT_EQ(policy().followed(), 3u);
}

TEST_F(Prefix, IsDroppedAtAThreadThatIsNotEnabled) {
  EXPECT_EQ(trace({thread(1), thread(7), thread(0), thread(1)}),
            "B: r c; B: choose 3; B: w x $; B: r d; A: r a; A: r b");
  EXPECT_EQ(policy().followed(), 1u);
  EXPECT_TRUE(policy().dropped());
}

TEST_F(Prefix, IsDroppedWhereAValueStandsForAThread) {
  trace({thread(1), value(0), thread(0)});
  EXPECT_EQ(policy().followed(), 1u);
  EXPECT_TRUE(policy().dropped());
}

TEST_F(Prefix, IsDroppedWhereAThreadStandsForAValue) {
  trace({thread(1), thread(1), {0, 1, OpKind::plain_read, 0}, thread(1)});
  EXPECT_EQ(policy().followed(), 2u);
  EXPECT_TRUE(policy().dropped());
}

TEST_F(Prefix, IsDroppedAtAValueOutOfBounds) {
  toy::Outcome run = runner_.run(
      {plan_for("nonpreemptive"), facts::Choices{{thread(1), thread(1), value(3)}}, {}});
  EXPECT_EQ(run.variables["x"], 0);
  EXPECT_EQ(policy().followed(), 2u);
  EXPECT_TRUE(policy().dropped());
}

TEST_F(Prefix, StepsAndOperationsAreNotCompared) {
  trace({{99, 1, OpKind::mutex_lock, 9}, {98, 0, OpKind::sem_post, 9}});
  EXPECT_EQ(policy().followed(), 2u);
  EXPECT_FALSE(policy().dropped());
}

// Any prefix of a run, followed by the policy that made the run without it, need not give that run
// again (the generator stands elsewhere), but its choices up to the end of the prefix are the same.
TEST_F(Prefix, OfARecordedRunLeadsToTheSamePlace) {
  for (const char* name : {"random", "pct", "pos", "round-robin"}) {
    std::vector<ChoiceRecord> full = runner_.run(plan_for(name, 3, 3, 6)).choices;
    for (std::size_t length = 0; length <= full.size(); ++length) {
      std::vector<ChoiceRecord> prefix(full.begin(), full.begin() + length);
      toy::Outcome run = runner_.run({plan_for(name, 17, 3, 6), facts::Choices{prefix}, {}});
      EXPECT_EQ(run.end, toy::End::complete);
      ASSERT_GE(run.choices.size(), length);
      run.choices.resize(length);
      EXPECT_EQ(run.choices, prefix) << name;
    }
  }
}

}  // namespace
}  // namespace raddle::policy
