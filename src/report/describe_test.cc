// SPDX-License-Identifier: Apache-2.0
//
// Findings from hand-made runs: kinds, sentences, sites, and what counts as the same finding.
#include "report/describe.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>

#include "report/fake_names.h"
#include "report/livelock_words.h"

namespace raddle::report {
namespace {

using facts::Finding;
using facts::FindingKind;
using wire::OpKind;
using wire::ThreadReport;
using wire::ThreadState;
using wire::VerdictKind;

constexpr std::uint32_t kLockA = 0x100, kLockB = 0x140, kCondition = 0x180;

class DescribeTest : public testing::Test {
 protected:
  DescribeTest() {
    names_.variable(kLockA, "a").variable(kLockB, "b").variable(kCondition, "cv");
    names_.site(1, "/usr/include/c++/12/bits/std_mutex.h", 100, "std::mutex::lock")
        .site(1, "/project/bank.cpp", 14, "deposit");
    names_.site(2, "/project/bank.cpp", 9, "withdraw");
    names_.site(3, "/project/bank.cpp", 20, "main");
    names_.site(4, "", 0, "");
  }

  ThreadReport thread(ThreadId id, ThreadState state, OpKind op, std::uint32_t where,
                      std::vector<SiteId> frames) {
    ThreadReport report{};
    report.id = id;
    report.waits_for = kNoThread;
    report.state = state;
    report.op = op;
    if (where != 0) report.where = FakeNames::global(where);
    for (SiteId site : frames) report.frames[report.frame_count++] = site;
    return report;
  }
  void hold(ThreadReport& report, std::uint32_t where, SiteId site) {
    report.held[report.held_count++] = {FakeNames::global(where), site, OpKind::mutex_lock};
  }
  void ended(VerdictKind kind, ThreadId thread, int code = 0, const char* message = "") {
    run_.verdict.kind = kind;
    run_.wait_status = kind == VerdictKind::exited ? code << 8 : 0;
    run_.verdict.thread = thread;
    run_.verdict.code = code;
    strncpy(run_.verdict.message, message, sizeof run_.verdict.message - 1);
  }
  std::optional<Finding> found() { return describe({run_, names_, 0, "/project", error_output_}); }
  Finding finding() {
    std::optional<Finding> result = found();
    EXPECT_TRUE(result.has_value());
    return result.value_or(Finding{});
  }

  // T1 holds a and wants b; T2 holds b and wants a; T0 joins.
  void two_lock_cycle(ThreadId first, ThreadId second) {
    ended(VerdictKind::deadlock, second);
    ThreadReport one = thread(first, ThreadState::blocked, OpKind::mutex_lock, kLockB, {1, 3});
    ThreadReport two = thread(second, ThreadState::blocked, OpKind::mutex_lock, kLockA, {2, 3});
    one.waits_for = second;
    two.waits_for = first;
    one.in_cycle = two.in_cycle = 1;
    hold(one, kLockA, 2);
    hold(two, kLockB, 1);
    ThreadReport main = thread(0, ThreadState::blocked, OpKind::thread_join, 0, {3});
    main.waits_for = first;
    run_.threads = {two, main, one};
  }

  facts::Run run_;
  std::string error_output_;
  FakeNames names_;
};

TEST_F(DescribeTest, ALockThatATestLeavesLockedIsWhereItWasLocked) {
  ended(VerdictKind::sync_misuse, 0, 1, "ends the test, and {} is still locked by T1 (at {site})");
  run_.verdict.where = FakeNames::global(kLockA);
  run_.threads = {thread(0, ThreadState::running, OpKind::thread_join, 0, {1, 3})};
  Finding result = finding();
  EXPECT_EQ(result.message, "T0 ends the test, and `a` is still locked by T1 (at bank.cpp:14)");
  EXPECT_EQ(result.site.line, 14);
}

TEST_F(DescribeTest, AThreadThatATestLeavesBehindIsWhereItWasCreated) {
  ended(VerdictKind::leaked_thread, 0, 1, "T1 does not end");
  run_.verdict.fault_address = 2;
  run_.threads = {thread(0, ThreadState::blocked, OpKind::thread_exit, 0, {3})};
  EXPECT_EQ(finding().message, "T1 does not end; it was created at bank.cpp:9");
  // Of a whole program it is known where main ended, and no more.
  run_.verdict.code = 0;
  EXPECT_EQ(finding().message, "T1 does not end");
  EXPECT_EQ(finding().site.line, 20);
}

TEST_F(DescribeTest, ExpectedEndsAndOurOwnCutsAreNoFindings) {
  ended(VerdictKind::exited, 0, 0);
  EXPECT_FALSE(found());
  for (VerdictKind kind :
       {VerdictKind::none, VerdictKind::limit, VerdictKind::divergence, VerdictKind::unsupported}) {
    ended(kind, 0);
    EXPECT_FALSE(found());
  }
  ended(VerdictKind::exited, 0, 7);
  EXPECT_FALSE(describe({run_, names_, 7, ""}));
}

TEST_F(DescribeTest, ExitCodesAreComparedWithTheExpectedOne) {
  ended(VerdictKind::exited, 0, 3);
  EXPECT_EQ(finding().kind, FindingKind::exit_code);
  EXPECT_EQ(finding().message, "exit code 3, expected 0");
  ended(VerdictKind::exited, 0, 0);
  EXPECT_EQ(describe({run_, names_, 1, ""})->message, "exit code 0, expected 1");
  ended(VerdictKind::none, 0);
  run_.wait_status = 5 << 8;  // left by _exit(5)
  EXPECT_EQ(finding().message, "exit code 5, expected 0");
}

TEST_F(DescribeTest, AssertionsQuoteTheProgramAndNameTheUsersLine) {
  ended(VerdictKind::assertion, 1, SIGABRT, "Assertion `x == 2' failed.\n");
  run_.threads = {thread(1, ThreadState::running, OpKind::none, 0, {1, 3})};
  run_.preemptions = 2;
  run_.steps = 40;
  Finding result = finding();
  EXPECT_EQ(result.kind, FindingKind::assertion);
  EXPECT_EQ(result.message, "Assertion `x == 2' failed.");
  EXPECT_EQ(result.site.file, "bank.cpp");
  EXPECT_EQ(result.site.line, 14);
  EXPECT_EQ(result.site.function, "deposit");
  EXPECT_EQ(result.preemptions, 2u);
  EXPECT_EQ(result.steps, 40u);
  ASSERT_EQ(result.threads.size(), 1u);
  EXPECT_EQ(result.threads[0].stack.size(), 3u);  // the library's frame is kept
  EXPECT_EQ(result.signature(), "assertion bank.cpp:14:deposit");
  ended(VerdictKind::assertion, 1, SIGABRT, "");
  run_.verdict.message[0] = '\0';
  EXPECT_EQ(finding().message, "abort() was called in deposit (bank.cpp:14)");
}

TEST_F(DescribeTest, ChecksOfTestFrameworksSayThemselvesWhereTheyAre) {
  ended(VerdictKind::assertion, 1, 0, "queue_test.cpp:42: Expected: 1, actual: 2");
  run_.threads = {thread(1, ThreadState::running, OpKind::none, 0, {9})};
  auto finding = describe({run_, names_, 0, ""});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->site.file, "queue_test.cpp");
  EXPECT_EQ(finding->site.line, 42);
  EXPECT_EQ(finding->threads[0].stack.front().line, 42);
  for (const char* other : {"no place: 3", "a:b: c", "a:0: c", ":7: c", "12: c", "a:7"}) {
    ended(VerdictKind::assertion, 1, 0, other);
    EXPECT_NE(describe({run_, names_, 0, ""})->site.line, 7) << other;
  }
}

TEST_F(DescribeTest, CrashesNameSignalAddressAndPlace) {
  ended(VerdictKind::crash, 2, SIGSEGV);
  run_.threads = {thread(2, ThreadState::running, OpKind::none, 0, {2})};
  EXPECT_EQ(finding().message, "SIGSEGV at address 0x0 (null pointer) in withdraw (bank.cpp:9)");
  run_.verdict.fault_address = 0xdead0000;
  EXPECT_EQ(finding().message, "SIGSEGV at address 0xdead0000 in withdraw (bank.cpp:9)");
  run_.verdict.code = SIGFPE;
  EXPECT_EQ(finding().message, "SIGFPE in withdraw (bank.cpp:9)");
  run_.threads = {thread(2, ThreadState::running, OpKind::none, 0, {4})};
  EXPECT_EQ(finding().message, "SIGFPE in prog+0x4");
  run_.verdict = {};
  run_.wait_status = SIGKILL;
  EXPECT_EQ(finding().message, "killed by SIGKILL");
  run_.timed_out = true;
  EXPECT_EQ(finding().kind, FindingKind::hang);
}

TEST_F(DescribeTest, StackOverflowsShowTheRecursion) {
  ended(VerdictKind::stack_overflow, 2, SIGSEGV);
  run_.threads = {thread(2, ThreadState::running, OpKind::none, 0, {2, 2, 2, 2, 3})};
  EXPECT_EQ(finding().message,
            "stack overflow in T2 (recursion: withdraw ← withdraw ← withdraw ← …)");
}

TEST_F(DescribeTest, ExceptionsAndHangs) {
  ended(VerdictKind::exception, 0, 0, "St13runtime_error");
  EXPECT_EQ(finding().message, "uncaught exception: std::runtime_error");
  error_output_ = "terminate called after throwing\n  what():  no money\n";
  EXPECT_EQ(finding().message, "uncaught exception: std::runtime_error: no money");
  run_.verdict = {};
  ended(VerdictKind::exception, 0, 0, "std::terminate was called without an active exception");
  EXPECT_EQ(finding().message, "std::terminate was called without an active exception");
  run_.verdict = {};
  ended(VerdictKind::hang, 2);
  run_.threads = {thread(2, ThreadState::running, OpKind::none, 0, {2})};
  EXPECT_EQ(finding().message, "the run did not end in time in withdraw (bank.cpp:9)");
}

TEST_F(DescribeTest, DeadlocksTellTheCycleInItsOrder) {
  two_lock_cycle(1, 2);
  Finding result = finding();
  EXPECT_EQ(result.kind, FindingKind::deadlock);
  EXPECT_EQ(result.message,
            "T1 waits for `b` (bank.cpp:14), held by T2 since bank.cpp:14; "
            "T2 waits for `a` (bank.cpp:9), held by T1 since bank.cpp:9");
  EXPECT_EQ(result.thread, 1);
  ASSERT_EQ(result.threads.size(), 3u);
  EXPECT_EQ(result.threads[0].state, "waits for T1 to end");
  EXPECT_EQ(result.threads[1].state, "blocked in lock of `b`, held by T2");
  EXPECT_TRUE(result.threads[1].in_cycle);
  ASSERT_EQ(result.threads[1].held.size(), 1u);
  EXPECT_EQ(result.threads[1].held[0].what, "a");
  EXPECT_EQ(result.threads[1].held[0].where.line, 9);
}

TEST_F(DescribeTest, TheSameDeadlockOfOtherThreadsIsTheSameFinding) {
  two_lock_cycle(1, 2);
  std::string first = finding().signature();
  EXPECT_EQ(first, "deadlock bank.cpp:14:deposit bank.cpp:9:withdraw");
  two_lock_cycle(5, 3);
  EXPECT_EQ(finding().signature(), first);
}

TEST_F(DescribeTest, SelfDeadlocksNameBothPlaces) {
  ended(VerdictKind::deadlock, 1);
  ThreadReport self = thread(1, ThreadState::blocked, OpKind::mutex_lock, kLockA, {1});
  self.waits_for = 1;
  self.in_cycle = 1;
  hold(self, kLockA, 2);
  run_.threads = {self};
  EXPECT_EQ(finding().message,
            "self-deadlock: T1 asks for lock of `a` (bank.cpp:14), which it already holds "
            "(since bank.cpp:9)");
}

TEST_F(DescribeTest, WithoutACycleEverybodysWaitIsTold) {
  ended(VerdictKind::deadlock, 1);
  ThreadReport main = thread(0, ThreadState::blocked, OpKind::thread_join, 0, {3});
  main.waits_for = 1;
  run_.threads = {thread(1, ThreadState::blocked, OpKind::cond_wake, kCondition, {2}), main};
  EXPECT_EQ(finding().message,
            "no thread can run: T0 waits for T1 to end (bank.cpp:20); "
            "T1 waits for a notification of `cv` (bank.cpp:9)");
  for (ThreadId id = 2; id < 12; ++id)
    run_.threads.push_back(thread(id, ThreadState::blocked, OpKind::sem_wait, kLockA, {2}));
  EXPECT_NE(finding().message.find("; and 4 more threads wait"), std::string::npos);
}

TEST_F(DescribeTest, LivelocksAreKnownByTheirCycleNotByWhereTheyWereCut) {
  facts::Evidence evidence;
  evidence.kind = FindingKind::livelock;
  evidence.thread = 1;
  for (SiteId site : {1u, 2u}) {
    wire::Event event{};
    event.thread = 1;
    event.site = site;
    evidence.events.push_back(event);
  }
  run_.verdict.kind = VerdictKind::limit;
  run_.threads = {thread(1, ThreadState::runnable, OpKind::mutex_lock, kLockA, {3})};
  Finding result = describe_evidence({run_, names_, 0, "/project"}, evidence, describe_livelock);
  EXPECT_EQ(result.message,
            "T1 (bank.cpp:14, bank.cpp:9) repeats the same steps with the same values "
            "for ever");
  EXPECT_TRUE(result.threads[0].in_cycle);
  EXPECT_EQ(result.threads[0].state, "could run, next: lock of `a`");
  EXPECT_EQ(result.signature(), "livelock bank.cpp:14:deposit");
  std::swap(evidence.events[0], evidence.events[1]);
  run_.threads = {thread(1, ThreadState::runnable, OpKind::mutex_lock, kLockA, {2})};
  EXPECT_EQ(
      describe_evidence({run_, names_, 0, "/project"}, evidence, describe_livelock).signature(),
      result.signature());
}

TEST_F(DescribeTest, ThreadsKeptBackByTheScheduleAreBlamedAndMentioned) {
  ended(VerdictKind::schedule_deadlock, 2, 0, "T1 is paused before `e` by `x -> e`");
  ThreadReport paused = thread(1, ThreadState::paused, OpKind::event, 0, {2});
  strcpy(paused.event, "e");
  run_.threads = {thread(2, ThreadState::blocked, OpKind::sem_wait, kLockA, {1}), paused};
  Finding result = finding();
  EXPECT_EQ(result.kind, FindingKind::schedule_deadlock);
  EXPECT_EQ(result.message, "T1 is paused before `e` by `x -> e`");
  EXPECT_EQ(result.thread, 1);
  EXPECT_EQ(result.threads[0].state, "paused by the schedule before event `e`");
  EXPECT_EQ(result.signature(), "schedule-deadlock bank.cpp:9:withdraw");

  ended(VerdictKind::hang, 2, 0, "T1 is paused before `e` by `x -> e`");
  EXPECT_EQ(finding().message,
            "the run did not end in time in deposit (bank.cpp:14); T1 is paused before `e` by "
            "`x -> e`");
  run_.threads[1].state = ThreadState::runnable;
  EXPECT_EQ(finding().threads[0].state, "could run, next: event `e`");
  run_.verdict = {};
  ended(VerdictKind::schedule_violation, 1, 0, "T1 passed `e` against `x -> e`");
  EXPECT_EQ(finding().kind, FindingKind::schedule_violation);
  EXPECT_EQ(finding().message, "T1 passed `e` against `x -> e`");
}

TEST_F(DescribeTest, ChecksNameCommandAndExitCode) {
  Finding result = describe_check({run_, names_, 0, ""}, "grep ok", 1);
  EXPECT_EQ(result.kind, FindingKind::check);
  EXPECT_EQ(result.message, "`grep ok` judged the run with exit code 1");
}

}  // namespace
}  // namespace raddle::report
