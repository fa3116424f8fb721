// SPDX-License-Identifier: Apache-2.0
//
// Every way in which a run can end.
#include "facts/judge.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace raddle::facts {
namespace {

using wire::VerdictKind;

Judgement judged(VerdictKind kind, int wait_status, int expect_exit = 0) {
  Run run;
  run.verdict.kind = kind;
  run.wait_status = wait_status;
  return judge(run, expect_exit);
}

void expect_finding(const Judgement& judgement, FindingKind kind) {
  EXPECT_EQ(judgement.outcome, Outcome::finding);
  EXPECT_EQ(judgement.kind, kind);
}

TEST(Judge, NormalExitsAreJudgedByTheirCode) {
  EXPECT_EQ(judged(VerdictKind::exited, 0).outcome, Outcome::ok);
  EXPECT_EQ(judged(VerdictKind::none, 0).outcome, Outcome::ok) << "left by _exit";
  EXPECT_EQ(judged(VerdictKind::exited, 3 << 8, 3).outcome, Outcome::ok);
  expect_finding(judged(VerdictKind::exited, 3 << 8), FindingKind::exit_code);
  expect_finding(judged(VerdictKind::exited, 0, 3), FindingKind::exit_code);
}

TEST(Judge, AnIdleServerIsAGoodRun) {
  EXPECT_EQ(judged(VerdictKind::idle, 77 << 8).outcome, Outcome::ok);
  EXPECT_EQ(judged(VerdictKind::idle, 77 << 8, 3).outcome, Outcome::ok) << "it did not exit";
}

TEST(Judge, ASignalIsACrashWhateverWasAnnounced) {
  expect_finding(judged(VerdictKind::none, SIGKILL), FindingKind::crash);
  expect_finding(judged(VerdictKind::exited, SIGSEGV), FindingKind::crash);
}

TEST(Judge, VerdictsBecomeFindings) {
  expect_finding(judged(VerdictKind::assertion, SIGABRT), FindingKind::assertion);
  expect_finding(judged(VerdictKind::crash, SIGSEGV), FindingKind::crash);
  expect_finding(judged(VerdictKind::stack_overflow, SIGSEGV), FindingKind::stack_overflow);
  expect_finding(judged(VerdictKind::exception, SIGABRT), FindingKind::exception);
  expect_finding(judged(VerdictKind::deadlock, 0), FindingKind::deadlock);
  expect_finding(judged(VerdictKind::hang, SIGKILL), FindingKind::hang);
  expect_finding(judged(VerdictKind::schedule_deadlock, 0), FindingKind::schedule_deadlock);
  expect_finding(judged(VerdictKind::schedule_violation, 0), FindingKind::schedule_violation);
}

TEST(Judge, WhatRaddleCutOrLostIsNoFinding) {
  EXPECT_EQ(judged(VerdictKind::limit, 0).outcome, Outcome::limited);
  EXPECT_EQ(judged(VerdictKind::divergence, 0).outcome, Outcome::diverged);
  EXPECT_EQ(judged(VerdictKind::unsupported, 0).outcome, Outcome::unsupported);
}

}  // namespace
}  // namespace raddle::facts
