// SPDX-License-Identifier: Apache-2.0
//
// ReplayPolicy: exact round trips, and every way to diverge by its name. Tests only.
#include "policy/replay.h"

#include <gtest/gtest.h>

#include "policy/fairness.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::End;
using toy::plan_for;
using wire::ChoiceRecord;
using wire::OpKind;

class Replay : public ::testing::Test {
 protected:
  toy::Outcome replay(toy::Runner& runner, const std::vector<ChoiceRecord>& schedule) {
    return runner.run({plan_for("random"), facts::Recorded{schedule}, {&fairness_}});
  }
  // Replays a spoilt schedule and says where and why it diverged.
  std::string divergence(const std::vector<ChoiceRecord>& schedule) {
    toy::Outcome run = replay(runner_, schedule);
    const ReplayPolicy& policy = *runner_.storage().replay;
    if (policy.reason() == nullptr) {
      EXPECT_EQ(policy.diverged_at(), ReplayPolicy::kNotDiverged);
      return "";
    }
    EXPECT_EQ(run.end, End::stopped);
    EXPECT_EQ(policy.followed(), policy.diverged_at());
    EXPECT_EQ(run.choices.size(), policy.diverged_at());
    return std::to_string(policy.diverged_at()) + ": " + policy.reason();
  }

  FairnessFilter fairness_;
  toy::Runner runner_{"A: lock m; r x; unlock m | B: choose 4; lock m; w x $; unlock m"};
  // B goes first and chooses 2 (within step 1). Then A locks, and B waits until A has ended.
  std::vector<ChoiceRecord> schedule_ = {
      {0, 1, OpKind::tick, 2}, {1, 2, OpKind::value, 4}, {1, 0, OpKind::mutex_lock, 2}};
};

TEST_F(Replay, FollowsAWholeSchedule) {
  toy::Outcome run = replay(runner_, schedule_);
  EXPECT_EQ(run.end, End::complete);
  EXPECT_EQ(toy::state(run), "x=2");
  EXPECT_EQ(run.steps[1].thread, 0);
  EXPECT_EQ(runner_.storage().replay->followed(), 3u);
  EXPECT_EQ(divergence(schedule_), "");
}

TEST_F(Replay, NamesAThreadThatCannotRun) {
  schedule_[2].picked = 2;
  EXPECT_EQ(divergence(schedule_), "2: the recorded thread cannot run");
  schedule_[2].picked = kNoThread;
  EXPECT_EQ(divergence(schedule_), "2: the recorded thread cannot run");
}

TEST_F(Replay, NamesAnotherStep) {
  schedule_[2].step = 2;
  EXPECT_EQ(divergence(schedule_), "2: the recorded choice was at a later step");
  schedule_[2].step = 0;
  EXPECT_EQ(divergence(schedule_), "2: the recorded choice was at an earlier step");
  schedule_[2].step = kAnyStep;
  EXPECT_EQ(divergence(schedule_), "");
}

TEST_F(Replay, NamesAnotherOperation) {
  schedule_[2].kind = OpKind::plain_read;
  EXPECT_EQ(divergence(schedule_),
            "2: the recorded thread is about to carry out another operation");
  schedule_[2].kind = OpKind::none;
  EXPECT_EQ(divergence(schedule_), "");
}

TEST_F(Replay, NamesAnExhaustedSchedule) {
  schedule_.pop_back();
  EXPECT_EQ(divergence(schedule_), "2: the run has more choices than the schedule");
  EXPECT_EQ(divergence({}), "0: the run has more choices than the schedule");
}

TEST_F(Replay, NamesAValueInPlaceOfAThreadAndTheOtherWayRound) {
  std::vector<ChoiceRecord> spoilt = {{0, 2, OpKind::value, 4}};
  EXPECT_EQ(divergence(spoilt), "0: the schedule has a value here, the run has to choose a thread");
  spoilt = schedule_;
  spoilt[1].kind = OpKind::mutex_lock;
  EXPECT_EQ(divergence(spoilt), "1: the schedule has a thread here, the run has to choose a value");
}

TEST_F(Replay, NamesAValueOutOfBounds) {
  schedule_[1].picked = 4;
  EXPECT_EQ(divergence(schedule_), "1: the recorded value is out of bounds");
}

// The first reason stays, and every further question is refused.
TEST_F(Replay, StaysDiverged) {
  ReplayPolicy policy;
  wire::Plan plan;
  policy.begin({plan, {}});
  EXPECT_EQ(policy.value(5, 0), 5u);
  ThreadSet enabled;
  enabled.add(0);
  enabled.add(1);
  EXPECT_EQ(policy.pick({enabled, nullptr, 2, 0, 3}), kNoThread);
  EXPECT_EQ(policy.diverged_at(), 0u);
  EXPECT_STREQ(policy.reason(), "the run has more choices than the schedule");
  policy.begin({plan, {}});
  EXPECT_EQ(policy.reason(), nullptr);
}

// A schedule that is longer than the run is not a divergence by itself; the policy says how much of
// it was followed.
TEST_F(Replay, CountsWhatWasFollowed) {
  schedule_.push_back({9, 0, OpKind::none, 2});
  EXPECT_EQ(divergence(schedule_), "");
  EXPECT_EQ(runner_.storage().replay->followed(), 3u);
}

// Record a run, replay its choices strictly: the same steps, the same choices, the same end.
TEST_F(Replay, OfARecordedRunIsThatRun) {
  const char* programs[] = {
      "A: r x; w x $+1; choose 5; w y $ | B: r x; w x $+1; r y | C: inc x; inc x",
      "T1: lock a; lock b; unlock b; unlock a | T2: lock b; lock a; unlock a; unlock b",
      "A: step; spin f 1; r x | B: w x; yield; w x 2; store f 1 | C: r x; yield; r x",
      "A: lock m; wait c m; unlock m | B: lock m; wait c m; unlock m | N: step; broadcast c; step",
      "M: spawn A; spawn B; join A; join B | A: w x; choose 2; w x $ | B: w x 2; trylock m",
      "init: b 2; s 1 | A: semwait s; barrier b; post s | B: barrier b; semwait s; rdlock l",
  };
  for (const char* text : programs) {
    toy::Runner runner(text);
    for (const char* name : {"random", "pct", "pos"})
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        toy::Outcome first = runner.run({plan_for(name, seed, 3, 8), {}, {&fairness_}});
        toy::Outcome again = replay(runner, first.choices);
        ASSERT_EQ(runner.storage().replay->reason(), nullptr) << text << ' ' << seed;
        EXPECT_EQ(again.end, first.end);
        EXPECT_EQ(again.choices, first.choices);
        EXPECT_EQ(toy::trace(runner.program_of(), again), toy::trace(runner.program_of(), first));
        EXPECT_EQ(again.variables, first.variables);
        EXPECT_EQ(runner.storage().replay->followed(), first.choices.size());
      }
  }
}

}  // namespace
}  // namespace raddle::policy
