// SPDX-License-Identifier: Apache-2.0
//
// Learning from toy runs: when it ends, what it leaves out, and what is kept.
#include "outcome/learning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "memo/memo.h"
#include "testing/fake_executor.h"

namespace raddle::outcome {
namespace {

using search::FakeExecutor;
using search::ToyRun;
using ::testing::HasSubstr;
using wire::OpKind;

// Thread 1 reads at 1 and 3; thread 2 writes at 2, between the two or after them.
ToyRun reads_twice(bool between) {
  ToyRun run = search::toy_exit(0);
  auto add = [&](ThreadId thread, OpKind kind, SiteId site) {
    run.events.push_back(search::toy_access(kind, site));
    run.events.back().thread = thread;
  };
  add(1, OpKind::plain_read, 1);
  if (between) add(2, OpKind::plain_write, 2);
  add(1, OpKind::plain_read, 3);
  if (!between) add(2, OpKind::plain_write, 2);
  return run;
}

class Learning : public ::testing::Test {
 protected:
  Learning() { program_.argv = {"./toy"}; }
  ~Learning() override { std::filesystem::remove_all(out_); }

  Result<Learned> learn(FakeExecutor::Program program, const char* strategy = "random") {
    FakeExecutor executor(std::move(program));
    campaign::Trials trials(executor, "/", {}, nullptr);
    memo::TrainingRecord training;
    training.program = {"/src/toy", "0123"};
    training.granularity = "word";
    LearnedMemo memo(memo::memo_path(out_), training);
    auto search = (*search::find_strategy(strategy))->make_learning(search::toy_options());
    return outcome::learn(options_, program_, *search, trials, memo);
  }
  bool has_memo() const { return std::filesystem::exists(memo::memo_path(out_)); }

  const std::string out_ = ::testing::TempDir() + "raddle-learning-" + std::to_string(getpid());
  launch::Program program_;
  LearningOptions options_;
};

TEST_F(Learning, EndsWhenNothingChanges) {
  int good = 0;
  options_.on_good_run = [&](const facts::Run&) { ++good; };
  auto learned = learn([](const facts::Plan&, std::uint64_t) { return reads_twice(false); });
  ASSERT_TRUE(learned);
  EXPECT_TRUE(learned->stable);
  EXPECT_EQ(learned->training.runs(), 101u);
  EXPECT_EQ(good, 101);
  EXPECT_EQ(learned->training.invariants(), 1u);
  EXPECT_EQ(learned->violated(), 0u);
  EXPECT_EQ(learned->steps, 1010u);
  EXPECT_TRUE(has_memo());
}

TEST_F(Learning, EndsWithTheBudget) {
  options_.budget.schedules_max = 7;
  auto learned = learn([](const facts::Plan&, std::uint64_t) { return reads_twice(false); });
  EXPECT_FALSE(learned->stable);
  EXPECT_EQ(learned->runs(), 7u);
  std::sig_atomic_t interrupts = 1;
  options_.interrupts = &interrupts;
  EXPECT_TRUE(learn(search::quiet_toy)->interrupted);
}

TEST_F(Learning, LeavesOutRunsThatFail) {
  auto learned = learn([](const facts::Plan&, std::uint64_t number) {
    bool bad = number % 2 == 0;
    ToyRun run = reads_twice(bad);
    if (bad) run.verdict.kind = wire::VerdictKind::deadlock;
    return run;
  });
  EXPECT_EQ(learned->training.invariants(), 1u) << "no good run has violated it";
  EXPECT_EQ(learned->failed, 101u);
  EXPECT_EQ(learned->first_failure, "deadlock");
  learned =
      learn([](const facts::Plan&, std::uint64_t number) { return reads_twice(number == 9); });
  EXPECT_EQ(learned->training.invariants(), 0u);
  EXPECT_EQ(learned->violated(), 1u);
}

TEST_F(Learning, LeavesNothingBehindWithoutARun) {
  auto learned = learn([](const facts::Plan&, std::uint64_t) -> Result<ToyRun> {
    return Error{"it cannot be started", kExitCannotRun};
  });
  EXPECT_FALSE(learned);
  EXPECT_FALSE(has_memo());
}

TEST_F(Learning, NeedsRunsThatDifferAndRecordEveryAccess) {
  for (const char* name : {"auto", "random", "pct", "surw"})
    EXPECT_TRUE(check_learns(**search::find_strategy(name), "--strategy")) << name;
  for (const char* name : {"dfs", "best-first", "portfolio", "nonpreemptive"})
    EXPECT_FALSE(check_learns(**search::find_strategy(name), "--strategy")) << name;
  EXPECT_THAT(check_learns(**search::find_strategy("dpor"), "--strategy").error().message,
              HasSubstr("--strategy dpor: learning needs"));
  // That of `auto` has a systematic search beside it.
  bool sparse = false;
  auto program = [&](const facts::Plan& plan, std::uint64_t number) {
    sparse |= plan.header.racing_only != 0;
    return reads_twice(number == 300);  // so that it lasts
  };
  options_.stable = 500;
  auto learned = learn(program, "auto");
  EXPECT_GT(learned->runs(), 500u);
  EXPECT_FALSE(sparse);
}

}  // namespace
}  // namespace raddle::outcome
