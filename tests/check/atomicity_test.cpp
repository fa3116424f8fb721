// SPDX-License-Identifier: Apache-2.0
//
// What belongs together, learned from the runs of checks; runs that are interleaved otherwise have
// a note, which replays, and of a twin in which nobody comes between nothing is said. Compiled by
// `raddle c++`.
#include <raddle/event.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <thread>

#include "harness.h"

namespace {

bool kept_together = false;  // nobody comes between: what is to be learned

// Adds in two steps, each below the lock.
struct Ledger {
  void add() {
    std::unique_lock together(outer, std::defer_lock);
    if (kept_together) together.lock();
    int before = read();
    write(before + 1);
  }
  int read() {
    std::lock_guard hold(lock);
    return balance;
  }
  void write(int amount) {
    std::lock_guard hold(lock);
    balance = amount;
  }
  std::mutex lock, outer;
  int balance = 0;
};

constexpr int kInitialising = __LINE__ + 2;
int added_twice() {
  Ledger ledger;
  std::thread other([&] { ledger.add(); });
  ledger.add();
  other.join();
  return ledger.balance;
}

void ledger() { added_twice(); }
// Somebody comes between in few of the runs.
void careful_ledger() {
  Alternation alternation;
  std::thread other([&] { alternation.step(); });
  kept_together = !alternation.watch();
  other.join();
  added_twice();
}
void checked_ledger() { RADDLE_ASSERT(added_twice() == 2); }
void failing() { RADDLE_ASSERT(added_twice() == 3); }

constexpr const char* kViolation = "atomicity-violation: on `ledger.balance`: between the two acc";

// With a memory of its own.
class Atomicity : public testing::Test {
 protected:
  Atomicity() { std::filesystem::remove_all(out_); }
  ~Atomicity() override {
    kept_together = false;
    std::filesystem::remove_all(out_);
  }

  raddle::Options options(std::uint64_t schedules = kRuns) const {
    raddle::Options options = runs(schedules);
    options.name = "ledger";
    return options;
  }
  raddle::Result learn(void (*body)(), const raddle::Options& options) {
    Variable learning("RADDLE_LEARN", "1");
    return raddle::check(body, options);
  }
  // From runs in which nobody comes between.
  void learn_good() {
    kept_together = true;
    raddle::Result result = learn(ledger, options(0));
    kept_together = false;
    expect_clean(result);
    EXPECT_TRUE(is_whole_program() || has(result.notes, "learned ")) << result;
  }
  bool has_memo() const { return std::filesystem::exists(out_ + "/memo.db"); }

  const std::string out_ = "atomicity-" + std::to_string(getpid());
  Variable variable_{"RADDLE_OUT", out_};
};

TEST_F(Atomicity, NothingIsSaidOfWhatWasNotLearned) {
  raddle::Result result = raddle::check(ledger, options());
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
  EXPECT_FALSE(has_memo());
}

TEST_F(Atomicity, AViolationIsANoteThatReplays) {
  learn_good();
  raddle::Result result = raddle::check(ledger, options());
  expect_clean(result);
  if (is_whole_program()) return;
  EXPECT_TRUE(has(result.notes, kViolation)) << result;
  EXPECT_EQ(result.schedules, kRuns) << "it does not end the campaign";
  std::string note = first_line(result.notes);
  std::filesystem::remove(out_ + "/memo.db");  // a replay does not ask what was learned
  std::string again = replayed(note, ledger, options());
  EXPECT_TRUE(has(again, note.substr(0, note.rfind('(')))) << note << "\n" << again;
}

TEST_F(Atomicity, EveryRunIsJudged) {
  learn_good();
  raddle::Options many = options(3000);
  raddle::Result result = raddle::check(careful_ledger, many);
  expect_clean(result);
  EXPECT_TRUE(is_whole_program() || has(result.notes, kViolation)) << result;
}

// It is told when the thread that did it goes on with the data, which others have come to by then.
TEST_F(Atomicity, WhatWasInitialisedBeforeDoesNotComeBetween) {
  learn_good();
  raddle::Result result = raddle::check(ledger, options(3000));
  expect_clean(result);
  std::string place = "writes it at atomicity_test.cpp:" + std::to_string(kInitialising) + ":";
  EXPECT_FALSE(has(result.notes, place)) << result;
}

TEST_F(Atomicity, NothingIsSaidWhereNobodyComesBetween) {
  learn_good();
  kept_together = true;
  raddle::Options other = options();
  other.seed = 99;
  raddle::Result result = raddle::check(ledger, other);
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
}

TEST_F(Atomicity, AViolationCanFailOrBeLeftOut) {
  learn_good();
  raddle::Options failing = options();
  failing.atomicity = "fail";
  raddle::Result result = raddle::check(ledger, failing);
  if (is_whole_program()) return;
  EXPECT_FALSE(result.passed());
  ASSERT_FALSE(result.findings.empty()) << result;
  EXPECT_EQ(result.findings[0].kind, "atomicity-violation");
  EXPECT_TRUE(has(result.findings[0].story, "ledger.balance"));
  Variable off("RADDLE_ATOMICITY", "off");
  result = raddle::check(ledger, failing);
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
}

TEST_F(Atomicity, AViolationStandsBesideAFailure) {
  learn_good();
  for (const char* strategy : {"random", "dpor"}) {
    raddle::Options options = runs(0, strategy);
    raddle::Result result = raddle::check(checked_ledger, options);
    if (is_whole_program()) return;
    expect_found(result, "assertion", "added_twice() == 2");
    EXPECT_TRUE(has(result.notes, kViolation)) << result;
    EXPECT_TRUE(has(result.notes, "; the run ended in `assertion`")) << result;
  }
}

TEST_F(Atomicity, IsLearnedUntilAHundredRunsChangeNothing) {
  kept_together = true;
  raddle::Result result = learn(ledger, options(0));
  if (is_whole_program()) return;
  expect_clean(result);
  EXPECT_GE(result.schedules, 100u);
  EXPECT_LT(result.schedules, 1000u);
  EXPECT_GT(result.steps, result.schedules);
  EXPECT_FALSE(has(result.notes, "not stable")) << result;
  EXPECT_TRUE(has(result.notes, "kept in " + out_ + "/memo.db")) << result;
  result = learn(ledger, options(5));
  EXPECT_EQ(result.schedules, 5u);
  EXPECT_TRUE(has(result.notes, "not stable")) << result;
}

TEST_F(Atomicity, RunsThatFailTeachNothing) {
  raddle::Result result = learn(checked_ledger, options(0));
  if (is_whole_program()) return;
  expect_clean(result);
  EXPECT_TRUE(has(result.notes, "failed and were left out (the first: assertion)")) << result;
  EXPECT_TRUE(has(raddle::check(checked_ledger, options(0)).notes, kViolation));
  result = learn(failing, options(20));
  EXPECT_TRUE(has(result.error, "all 20 runs failed (the first: assertion)")) << result;
}

TEST_F(Atomicity, OfWhatAGoodRunHasShownNothingIsSaid) {
  learn_good();
  learn(ledger, options(0));  // in which anybody may come between
  raddle::Result result = raddle::check(ledger, options());
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
}

// They record too little to learn from; where they fail they are looked at all the same.
TEST_F(Atomicity, IsLearnedBySamplingWhateverTheTestsStrategy) {
  kept_together = true;
  raddle::Options systematic = runs(0, "dpor");
  systematic.races = "off";
  systematic.points = "sync";
  raddle::Result result = learn(ledger, systematic);
  kept_together = false;
  expect_clean(result);
  if (is_whole_program()) return;
  EXPECT_GE(result.schedules, 100u);
  EXPECT_TRUE(has(raddle::check(ledger, options()).notes, kViolation));
}

TEST_F(Atomicity, WithoutAccessesNothingIsJudged) {
  learn_good();
  raddle::Options sync = options();
  sync.points = "sync";
  EXPECT_EQ(raddle::check(ledger, sync).notes, "");
  raddle::Options no_races = options();
  no_races.races = "off";
  EXPECT_EQ(raddle::check(ledger, no_races).notes, "");
}

TEST_F(Atomicity, InterleavingsThatShouldNotBeAreNotLearnedFrom) {
  raddle::Options options = runs(50);
  options.schedule_name = "impossible";
  options.schedule = "after -> before";
  options.expect_infeasible = true;
  auto body = [] {
    RADDLE_EVENT("before");
    RADDLE_EVENT("after");
  };
  Variable learning("RADDLE_LEARN", "1");
  raddle::Result result = raddle::check(body, options);
  expect_clean(result);
  EXPECT_FALSE(has_memo());
}

}  // namespace
