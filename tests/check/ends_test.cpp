// SPDX-License-Identifier: Apache-2.0
//
// Bodies at the edges: they end the process, fork, have thread-local data that does not fit
// anywhere, ask for nothing, race on purpose, run for long; and what is refused.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness.h"

namespace {

using namespace std::chrono_literals;

thread_local char much_room[16384];
thread_local int seen_before = 0;

TEST(ThreadLocals, AreFreshHoweverLargeTheyAre) {
  expect_clean(raddle::check(
      [] {
        std::thread other([] {
          ++much_room[0];
          RADDLE_ASSERT(seen_before++ == 0);
        });
        other.join();
      },
      runs(1000)));
}

TEST(Memory, BlocksOfNoBytesAreBlocks) {
  expect_clean(raddle::check(
      [] {
        void* volatile nothing = malloc(0);
        void* volatile other = malloc(0);
        RADDLE_ASSERT(nothing != other);
        free(nothing);
        free(other);
      },
      runs(1000)));
}

TEST(Ends, OfTheWholeProcessAreFailures) {
  if (is_whole_program()) return;
  using End = void(int);
  for (End* end :
       {static_cast<End*>(_exit), static_cast<End*>(_Exit), static_cast<End*>(quick_exit)}) {
    raddle::Result result = raddle::check([&] { end(0); }, runs(10));
    ASSERT_EQ(result.findings.size(), 1u) << result;
    EXPECT_EQ(result.findings[0].kind, "assertion");
  }
}

TEST(Ends, AChildThatReturnsFromTheBodyIsNoSecondTest) {
  if (is_whole_program()) return;
  int calls = 0;
  raddle::Result result = raddle::check(
      [&] {
        ++calls;
        pid_t child = fork();
        if (child == 0) return;
        int status = 1;
        RADDLE_ASSERT(waitpid(child, &status, 0) == child && status == 0);
      },
      runs(20));
  EXPECT_TRUE(result) << result;
  EXPECT_EQ(calls, 20);
}

TEST(Races, ThatAreOnlyReportedDoNotFailTheTest) {
  if (is_whole_program()) return;
  raddle::Options options = runs(200);
  options.races = "report";
  auto racy = [] {
    int number = 0;
    std::thread other([&] { ++number; });
    ++number;
    other.join();
  };
  raddle::Result result = raddle::check(racy, options);
  EXPECT_TRUE(result) << result;
  EXPECT_NE(result.notes.find("data-race"), std::string::npos);
  EXPECT_FALSE(raddle::check(racy, runs(200)));
}

TEST(Length, LocksOfAllRunsTogetherAreMoreThanARunMayHave) {
  if (is_whole_program()) return;
  expect_clean(raddle::check(
      [] {
        std::mutex first, second;
        std::scoped_lock both(first, second);
      },
      runs(600'000)));
}

TEST(Length, AHundredThousandSteps) {
  raddle::Options options = runs(5);
  options.max_steps = 1'000'000;
  raddle::Result result = raddle::check(
      [] {
        std::atomic<int> number{0};
        auto add = [&] {
          for (int i = 0; i < 50'000; ++i) ++number;
        };
        std::thread other(add);
        add();
        other.join();
        RADDLE_ASSERT(number == 100'000);
      },
      options);
  expect_clean(result);
  if (is_whole_program()) return;
  EXPECT_EQ(result.schedules, 5u);
  EXPECT_GE(result.steps, 450'000u);  // who is alone makes no steps
  EXPECT_EQ(result.limited, 0u);
}

TEST(Length, RunsThatAreTooLongAreCounted) {
  raddle::Options options = runs(10);
  options.max_steps = 100;
  raddle::Result result = raddle::check(
      [] {
        std::atomic<int> number{0};
        std::thread other([&] {
          for (int i = 0; i < 1000; ++i) ++number;
        });
        other.join();
      },
      options);
  EXPECT_EQ(result.findings.size(), 0u) << result;
  if (is_whole_program()) return;
  // Nothing was tested: that is not a pass.
  EXPECT_EQ(result.error, "no run came to its end within 100 steps (max_steps)");
  EXPECT_EQ(result.limited, 10u);
  EXPECT_EQ(result.schedules, 0u);
}

TEST(Order, ChecksDoNotDisturbEachOther) {
  for (int round = 0; round < 20; ++round) {
    int size = round % 5 + 1;
    expect_all_clean(
        [=] {
          std::vector<std::thread> threads;
          std::atomic<int> sum{0};
          for (int i = 0; i < size; ++i) threads.emplace_back([&, i] { sum += i; });
          for (std::thread& thread : threads) thread.join();
          RADDLE_ASSERT(sum == size * (size - 1) / 2);
        },
        30);
    auto wrong = [] { RADDLE_ASSERT(!"always"); };
    if (!is_whole_program()) expect_found(raddle::check(wrong, runs(3)), "assertion", "always");
  }
}

// -- where a check cannot be made
// ------------------------------------------------------------------

// Its signal would end the process. The first check of a process is the one to try (check_test.py).
TEST(Watchdog, EndsWithItsCheck) {
  expect_clean(raddle::check([] { std::thread([] {}).join(); }, runs(10)));
  std::this_thread::sleep_for(300ms);
}

TEST(Refused, WhileOtherThreadsRun) {
  if (is_whole_program()) return;
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) std::this_thread::sleep_for(1ms);
  });
  raddle::Result result = raddle::check([] {}, runs());
  stop = true;
  other.join();
  EXPECT_FALSE(result.passed());
  EXPECT_NE(result.error.find("1 other thread"), std::string::npos) << result.error;
  EXPECT_EQ(result.schedules, 0u);
  expect_all_clean([] {});
}

TEST(Refused, InAnotherThread) {
  if (is_whole_program()) return;
  raddle::Result result;
  std::thread other([&] { result = raddle::check([] {}, runs()); });
  other.join();
  EXPECT_NE(result.error.find("thread"), std::string::npos) << result.error;
  expect_all_clean([] {});
}

TEST(Refused, UnknownNames) {
  if (is_whole_program()) return;
  auto error = [](raddle::Options options) { return raddle::check([] {}, options).error; };
  EXPECT_NE(error({.strategy = "best"}).find("best"), std::string::npos);
  EXPECT_NE(error({.points = "few"}).find("few"), std::string::npos);
  EXPECT_NE(error({.timers = "never"}).find("never"), std::string::npos);
  EXPECT_NE(error({.races = "maybe"}).find("maybe"), std::string::npos);
}

TEST(Refused, ACheckInsideOfABody) {
  if (is_whole_program()) return;
  raddle::Result inner;
  raddle::Result outer = raddle::check([&] { inner = raddle::check([] {}, runs()); }, runs(3));
  // Inside of a run a body is run once, as in a whole program under control.
  EXPECT_TRUE(outer.passed()) << outer;
  EXPECT_TRUE(inner.whole_program);
}

}  // namespace
