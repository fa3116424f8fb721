// SPDX-License-Identifier: Apache-2.0
//
// The launcher against a stand-in for the runtime (tests/testing/fake_target.h): every way in which
// a target can behave, on both tiers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "launch/exec_executor.h"
#include "launch/fork_executor.h"
#include "testing/fake_target.h"

namespace raddle::launch {
namespace {

using ::testing::HasSubstr;

ExecutorOptions quick() {
  ExecutorOptions options;
  options.max_steps = 1000;
  options.run_timeout = std::chrono::milliseconds(5000);
  return options;
}

enum class Kind { fork, exec };

class EveryExecutor : public ::testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<Executor> start(const std::string& what, ExecutorOptions options = quick()) {
    Program program = raddle::testing::fake_target(what);
    program.stdin_file = stdin_file_;
    bool refused = false;
    if (GetParam() == Kind::exec) {
      auto executor = ExecExecutor::create(program, options);
      return executor ? std::move(*executor) : nullptr;
    }
    auto executor = ForkExecutor::start(program, options, refused);
    if (!executor) error_ = executor.error().message;
    return executor ? std::move(*executor) : nullptr;
  }

  std::string stdin_file_;
  std::string error_;
};

INSTANTIATE_TEST_SUITE_P(Executors, EveryExecutor, ::testing::Values(Kind::fork, Kind::exec),
                         [](const auto& info) {
                           return info.param == Kind::fork ? "Fork" : "Exec";
                         });

TEST_P(EveryExecutor, HandsThePlanOverAndCollectsTheRun) {
  auto executor = start("seed");
  ASSERT_NE(executor, nullptr) << error_;
  for (std::uint64_t seed : {17u, 18u}) {
    facts::Plan plan;
    plan.header.seed = seed;
    auto run = executor->run(plan);
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->events.size(), 1u);
    EXPECT_EQ(run->events[0].value, seed);
    ASSERT_EQ(run->choices.size(), 1u);
    EXPECT_EQ(run->choices[0].picked, 1);
    EXPECT_EQ(run->verdict.kind, wire::VerdictKind::exited);
    EXPECT_EQ(run->steps, 7u);
    EXPECT_EQ(run->thread_count, 2u);
    EXPECT_FALSE(run->timed_out);
  }
  ASSERT_EQ(executor->modules().size(), 1u);
  EXPECT_STREQ(executor->modules()[0].path, "/a/module");
}

TEST_P(EveryExecutor, WritesSitesOnlyWhenTheyChange) {
  auto executor = start("sites");
  ASSERT_NE(executor, nullptr) << error_;
  facts::Plan plan;
  plan.sites = std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{4, 9});
  auto first = executor->run(plan);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->events.size(), 2u);
  EXPECT_EQ(first->events[1].value, 9u);
  std::uint32_t version = first->events[0].step;
  EXPECT_EQ(executor->run(plan)->events[0].step, version);
  plan.sites = std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{5});
  auto other = executor->run(plan);
  ASSERT_EQ(other->events.size(), 1u);
  EXPECT_NE(other->events[0].step, version);
}

TEST_P(EveryExecutor, HandsTheSteeringOver) {
  auto executor = start("steering");
  ASSERT_NE(executor, nullptr) << error_;
  facts::Plan plan;
  facts::Recorded recorded{{{2, 1, wire::OpKind::none, 2}, {5, 0, wire::OpKind::none, 2}}};
  plan.steering = recorded;
  auto run = executor->run(plan);
  ASSERT_TRUE(run);
  ASSERT_EQ(run->events.size(), 2u);
  EXPECT_EQ(run->events[0].step, 2u);
  EXPECT_EQ(run->events[1].step, 5u);
  recorded.rows.resize(1'000'000);
  plan.steering = recorded;
  EXPECT_FALSE(executor->run(plan));
}

TEST_P(EveryExecutor, DrainsMoreEventsThanTheRingHolds) {
  auto executor = start("flood");
  ASSERT_NE(executor, nullptr) << error_;
  for (int round = 0; round < 2; ++round) {
    auto run = executor->run({});
    ASSERT_TRUE(run);
    ASSERT_EQ(run->events.size(), 3u * 4096u);
    for (std::uint32_t i = 0; i < run->events.size(); ++i) ASSERT_EQ(run->events[i].value, i);
  }
}

TEST_P(EveryExecutor, KeepsTheOutputOfTheLastRunOnly) {
  auto executor = start("print");
  ASSERT_NE(executor, nullptr) << error_;
  ASSERT_TRUE(executor->run({}));
  ASSERT_TRUE(executor->run({}));
  EXPECT_EQ(executor->output(), "out");
  EXPECT_EQ(executor->error_output(), "err");
  EXPECT_EQ(executor->output_path(), "");
}

TEST_P(EveryExecutor, OffersTheOutputAsAFile) {
  ExecutorOptions options = quick();
  options.output_on_disk = true;
  auto executor = start("print", options);
  ASSERT_NE(executor, nullptr) << error_;
  ASSERT_TRUE(executor->run({}));
  std::string path = executor->output_path();
  EXPECT_EQ(std::filesystem::file_size(path), 3u);
  executor.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_P(EveryExecutor, GivesEveryRunTheSameInput) {
  char path[] = "/tmp/raddle-test-XXXXXX";
  int fd = mkstemp(path);
  ASSERT_EQ(write(fd, "hello", 5), 5);
  close(fd);
  stdin_file_ = path;
  auto executor = start("cat");
  ASSERT_NE(executor, nullptr) << error_;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(executor->run({}));
    EXPECT_EQ(executor->output(), "hello");
  }
  unlink(path);
}

TEST_P(EveryExecutor, ReportsHowTheProcessEnded) {
  auto exited = start("three");
  ASSERT_NE(exited, nullptr) << error_;
  auto run = exited->run({});
  ASSERT_TRUE(run);
  EXPECT_EQ(WEXITSTATUS(run->wait_status), 3);
  EXPECT_EQ(run->verdict.kind, wire::VerdictKind::none) << "it had announced code 0";
  auto crashing = start("segv");
  run = crashing->run({});
  ASSERT_TRUE(run);
  EXPECT_TRUE(WIFSIGNALED(run->wait_status));
  EXPECT_EQ(run->verdict.kind, wire::VerdictKind::none);
}

TEST_P(EveryExecutor, WatchdogAsksTheRuntimeForAVerdict) {
  ExecutorOptions options = quick();
  options.run_timeout = std::chrono::milliseconds(100);
  auto executor = start("sleepy", options);
  ASSERT_NE(executor, nullptr) << error_;
  auto run = executor->run({});
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->timed_out);
  EXPECT_EQ(run->verdict.kind, wire::VerdictKind::hang);
  EXPECT_STREQ(run->verdict.message, "watchdog answered");
}

TEST_P(EveryExecutor, WatchdogKillsARunThatDoesNotAnswer) {
  ExecutorOptions options = quick();
  options.run_timeout = std::chrono::milliseconds(100);
  auto executor = start("deaf", options);
  ASSERT_NE(executor, nullptr) << error_;
  auto run = executor->run({});
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->timed_out);
  EXPECT_EQ(run->verdict.kind, wire::VerdictKind::hang);
  EXPECT_EQ(WTERMSIG(run->wait_status), SIGKILL);
}

TEST_P(EveryExecutor, SecondInterruptEndsTheWait) {
  volatile std::sig_atomic_t interrupts = 1;
  ExecutorOptions options = quick();
  options.interrupts = &interrupts;
  auto executor = start("sleepy", options);
  ASSERT_NE(executor, nullptr) << error_;
  interrupts = 2;
  auto run = executor->run({});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().exit_code, kExitInterrupted);
}

TEST_P(EveryExecutor, NoticesOverwrittenSharedMemory) {
  auto executor = start("scribble");
  ASSERT_NE(executor, nullptr) << error_;
  auto run = executor->run({});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().exit_code, kExitCannotRun);
  EXPECT_THAT(run.error().message, HasSubstr("wrote over"));
}

TEST(ForkExecutor, NeverSignalsAProcessThatIsNotItsRun) {
  ExecutorOptions options = quick();
  options.run_timeout = std::chrono::milliseconds(100);
  bool refused = false;
  auto executor = ForkExecutor::start(raddle::testing::fake_target("lie"), options, refused);
  ASSERT_TRUE(executor);
  auto run = (*executor)->run({});
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("could not be ended"));
}

TEST(ForkExecutor, SaysSoWhenTheServerIsGone) {
  signal(SIGPIPE, SIG_IGN);
  bool refused = false;
  auto executor =
      ForkExecutor::start(raddle::testing::fake_target("kill-parent"), quick(), refused);
  ASSERT_TRUE(executor);
  for (int round = 0; round < 2; ++round) {
    auto run = (*executor)->run({});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().exit_code, kExitCannotRun);
    EXPECT_THAT(run.error().message, HasSubstr("killed by signal 9"));
  }
}

TEST(StartExecutor, FallsBackToFreshProcessesWhenForkingIsRefused) {
  auto executor = start_executor(raddle::testing::fake_target("refuse-fork"), quick());
  ASSERT_TRUE(executor) << executor.error().message;
  EXPECT_NE(dynamic_cast<ExecExecutor*>(executor->get()), nullptr);
  EXPECT_TRUE((*executor)->run({}));
}

TEST(StartExecutor, QuotesTheReasonOfARefusal) {
  auto executor = start_executor(raddle::testing::fake_target("refuse"), quick());
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().exit_code, kExitCannotRun);
  EXPECT_THAT(executor.error().message, HasSubstr("it is Tuesday"));
}

TEST(StartExecutor, ShowsWhatAProgramPrintedBeforeMain) {
  auto executor = start_executor(raddle::testing::fake_target("early-crash"), quick());
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().exit_code, kExitCannotRun);
  EXPECT_THAT(executor.error().message, HasSubstr("before it reached main"));
  EXPECT_THAT(executor.error().message, HasSubstr("no config file"));
  auto early = start_executor(raddle::testing::fake_target("early-exit"), quick());
  ASSERT_FALSE(early);
  EXPECT_THAT(early.error().message, HasSubstr("exited with code 5 before raddle's runtime"));
}

TEST(StartExecutor, ReportsAFailingExec) {
  Program program = raddle::testing::fake_target("seed");
  program.path = "/nonexistent/program";
  auto executor = start_executor(program, quick());
  ASSERT_FALSE(executor);
  EXPECT_THAT(executor.error().message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace raddle::launch
