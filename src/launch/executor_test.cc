// SPDX-License-Identifier: Apache-2.0
//
// The launcher against a stand-in for the runtime: this test binary starts itself, and a
// constructor that runs before main speaks the target's side of the protocol. What the stand-in
// does in a run is named by its first argument, so each behaviour of a target has one word here.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "launch/exec_executor.h"
#include "launch/fork_executor.h"

namespace raddle::launch {
namespace {

using ::testing::HasSubstr;
using wire::SharedHeader;
using wire::TargetStage;

// ---- the stand-in ---------------------------------------------------------------------------

SharedHeader* g_shared = nullptr;

std::string behaviour() {
  char line[4096] = {};
  int fd = open("/proc/self/cmdline", O_RDONLY);
  ssize_t got = read(fd, line, sizeof line - 1);
  close(fd);
  size_t first = strlen(line) + 1;
  return got > static_cast<ssize_t>(first) ? line + first : "";
}

void emit(std::uint32_t step, std::uint64_t value) {
  while (g_shared->ring_head.load() - g_shared->ring_tail.load() == g_shared->ring_capacity)
    usleep(50);
  std::uint64_t head = g_shared->ring_head.load();
  wire::Event event = {};
  event.step = step;
  event.value = value;
  event.kind = wire::OpKind::atomic_load;
  g_shared->ring()[head & (g_shared->ring_capacity - 1)] = event;
  g_shared->ring_head.store(head + 1, std::memory_order_release);
}

void on_watchdog(int) {
  g_shared->verdict.kind = wire::VerdictKind::hang;
  strcpy(g_shared->verdict.message, "watchdog answered");
  _exit(0);
}

[[noreturn]] void act(const std::string& what) {
  g_shared->ring_head.store(0);
  g_shared->steps = 7;
  g_shared->threads = 2;
  g_shared->choices = 1;
  g_shared->schedule()[0] = {3, 1, wire::OpKind::mutex_lock, 2};
  if (what == "print") {
    [[maybe_unused]] ssize_t n = write(1, "out", 3);
    n = write(2, "err", 3);
  }
  if (what == "cat") {
    int input = open("/proc/self/fd/0", O_RDONLY);
    char text[64];
    ssize_t n = read(input, text, sizeof text);
    n = write(1, text, static_cast<size_t>(n));
  }
  if (what == "seed") emit(0, g_shared->plan.seed);
  if (what == "sites")
    for (unsigned i = 0; i < g_shared->plan.site_count; ++i)
      emit(g_shared->plan.site_version, g_shared->sites()[i]);
  if (what == "prefix")
    for (unsigned i = 0; i < g_shared->plan.prefix_count; ++i)
      emit(g_shared->prefix()[i].step, g_shared->prefix()[i].picked);
  if (what == "flood")
    for (std::uint32_t i = 0; i < 3 * g_shared->ring_capacity; ++i) emit(i, i);
  if (what == "segv") raise(SIGSEGV);
  if (what == "deaf") {
    signal(SIGRTMAX - 2, SIG_IGN);
    while (true) pause();
  }
  if (what == "sleepy") {
    signal(SIGRTMAX - 2, on_watchdog);
    while (true) pause();
  }
  if (what == "scribble") g_shared->magic = 1;
  if (what == "lie") {
    g_shared->run_pid.store(1);  // not ours to kill
    while (true) pause();
  }
  if (what == "kill-parent") kill(getppid(), SIGKILL);
  g_shared->verdict.kind = wire::VerdictKind::exited;
  _exit(what == "three" ? 3 : 0);
}

[[noreturn]] void serve(const std::string& what, int commands, int replies) {
  char command;
  while (read(commands, &command, 1) == 1 && command == 'r') {
    pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      act(what);
    }
    g_shared->run_pid.store(child);
    wire::Reply reply = {};
    waitpid(child, &reply.wait_status, 0);
    g_shared->run_pid.store(0);
    [[maybe_unused]] ssize_t n = write(replies, &reply, sizeof reply);
  }
  _exit(0);
}

__attribute__((constructor)) void stand_in() {
  const char* control = getenv(wire::kControlVariable);
  if (control == nullptr) return;
  int shared = 0, commands = 0, replies = 0;
  if (sscanf(control, "%d,%d,%d", &shared, &commands, &replies) != 3) _exit(99);
  if (shared < 100 || commands < 100 || replies < 100) _exit(98);
  struct stat info;
  fstat(shared, &info);
  void* mapped = mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ | PROT_WRITE,
                      MAP_SHARED, shared, 0);
  g_shared = static_cast<SharedHeader*>(mapped);
  std::string what = behaviour();
  if (what == "early-exit") _exit(5);
  g_shared->stage.store(TargetStage::loaded);
  if (what == "early-crash") {
    [[maybe_unused]] ssize_t n = write(2, "no config file\n", 15);
    abort();
  }
  bool server = g_shared->tier == wire::Tier::fork_server;
  if (what == "refuse" || (what == "refuse-fork" && server)) {
    strcpy(g_shared->verdict.message, what == "refuse" ? "it is Tuesday" : "fork: too early");
    g_shared->stage.store(TargetStage::refused);
    _exit(1);
  }
  strcpy(g_shared->modules[0].path, "/a/module");
  g_shared->module_count = 1;
  g_shared->stage.store(TargetStage::ready);
  if (server) serve(what, commands, replies);
  g_shared->run_pid.store(getpid());
  act(what);
}

// ---- the tests ------------------------------------------------------------------------------

Program stand_in_program(const std::string& what) {
  Program program;
  program.path = std::filesystem::read_symlink("/proc/self/exe").string();
  program.argv = {"stand-in", what};
  program.directory = "/";
  program.elf.instrumented = true;  // nothing to preload
  return program;
}

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
    Program program = stand_in_program(what);
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

TEST_P(EveryExecutor, HandsThePrefixOver) {
  auto executor = start("prefix");
  ASSERT_NE(executor, nullptr) << error_;
  facts::Plan plan;
  plan.prefix = {{2, 1, wire::OpKind::none, 2}, {5, 0, wire::OpKind::none, 2}};
  auto run = executor->run(plan);
  ASSERT_TRUE(run);
  ASSERT_EQ(run->events.size(), 2u);
  EXPECT_EQ(run->events[0].step, 2u);
  EXPECT_EQ(run->events[1].step, 5u);
  plan.prefix.resize(1'000'000);
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
  auto executor = ForkExecutor::start(stand_in_program("lie"), options, refused);
  ASSERT_TRUE(executor);
  auto run = (*executor)->run({});
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("could not be ended"));
}

TEST(ForkExecutor, SaysSoWhenTheServerIsGone) {
  signal(SIGPIPE, SIG_IGN);
  bool refused = false;
  auto executor = ForkExecutor::start(stand_in_program("kill-parent"), quick(), refused);
  ASSERT_TRUE(executor);
  for (int round = 0; round < 2; ++round) {
    auto run = (*executor)->run({});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().exit_code, kExitCannotRun);
    EXPECT_THAT(run.error().message, HasSubstr("killed by signal 9"));
  }
}

TEST(StartExecutor, FallsBackToFreshProcessesWhenForkingIsRefused) {
  auto executor = start_executor(stand_in_program("refuse-fork"), quick());
  ASSERT_TRUE(executor) << executor.error().message;
  EXPECT_NE(dynamic_cast<ExecExecutor*>(executor->get()), nullptr);
  EXPECT_TRUE((*executor)->run({}));
}

TEST(StartExecutor, QuotesTheReasonOfARefusal) {
  auto executor = start_executor(stand_in_program("refuse"), quick());
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().exit_code, kExitCannotRun);
  EXPECT_THAT(executor.error().message, HasSubstr("it is Tuesday"));
}

TEST(StartExecutor, ShowsWhatAProgramPrintedBeforeMain) {
  auto executor = start_executor(stand_in_program("early-crash"), quick());
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().exit_code, kExitCannotRun);
  EXPECT_THAT(executor.error().message, HasSubstr("before it reached main"));
  EXPECT_THAT(executor.error().message, HasSubstr("no config file"));
  auto early = start_executor(stand_in_program("early-exit"), quick());
  ASSERT_FALSE(early);
  EXPECT_THAT(early.error().message, HasSubstr("exited with code 5 before raddle's runtime"));
}

TEST(StartExecutor, ReportsAFailingExec) {
  Program program = stand_in_program("seed");
  program.path = "/nonexistent/program";
  auto executor = start_executor(program, quick());
  ASSERT_FALSE(executor);
  EXPECT_THAT(executor.error().message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace raddle::launch
