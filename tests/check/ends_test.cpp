// SPDX-License-Identifier: Apache-2.0
//
// Bodies at the edges: they end the process, fork, have thread-local data that does not fit
// anywhere, ask for nothing, or race on purpose.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "harness.h"

namespace {

raddle::Options runs(std::uint64_t schedules) {
  raddle::Options options;
  options.schedules = schedules;
  return options;
}

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

}  // namespace
