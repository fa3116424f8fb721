// SPDX-License-Identifier: Apache-2.0
//
// Data that no lock protects at every access: a note for those who ask, which replays, and of twins
// that have one lock nothing is said. Compiled by `raddle c++`.
#include <raddle/adapter.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "harness.h"

namespace {

enum class Locks { same, differ, differ_rarely };

// Two threads take turns, so that nothing races whatever the locks are.
template <Locks locks>
void take_turns() {
  std::mutex mine, yours, state;
  std::condition_variable changed;
  int turn = 0, entries = 0;
  auto work = [&](int me, std::mutex& lock) {
    for (int i = 0; i < 2; ++i) {
      std::unique_lock hold(state);
      changed.wait(hold, [&] { return turn == me; });
      hold.unlock();
      {
        std::lock_guard guard(lock);
        ++entries;
      }
      hold.lock();
      turn = 1 - me;
      changed.notify_one();
    }
  };
  Alternation alternation;
  std::thread other([&] {
    bool wrong = locks == Locks::differ || (locks == Locks::differ_rarely && alternation.watch());
    work(1, wrong ? yours : mine);
  });
  if (locks == Locks::differ_rarely) alternation.step();
  work(0, mine);
  other.join();
}

// The first run has steps that no later one has.
void take_turns_after_a_start() {
  static std::mutex start;
  static const int started = [] {
    std::lock_guard hold(start);
    return 1;
  }();
  (void)started;
  take_turns<Locks::differ>();
}

template <bool one_lock>
void race() {
  std::mutex mine, yours;
  int entries = 0;
  auto work = [&](std::mutex& lock) {
    for (int i = 0; i < 2; ++i) {
      std::lock_guard hold(lock);
      ++entries;
    }
  };
  std::thread other([&] { work(one_lock ? mine : yours); });
  work(mine);
  other.join();
}

raddle::Options with_locksets(const char* strategy = "random") {
  raddle::Options options = runs(kRuns, strategy);
  options.name = "locksets";
  options.locksets = true;
  return options;
}

constexpr const char* kUnprotected = "inconsistent-locks: no lock protects `entries` at every acc";

TEST(Locksets, DataWithoutOneLockIsANoteThatReplays) {
  for (auto body : {take_turns<Locks::differ>, take_turns_after_a_start}) {
    raddle::Result result = raddle::check(body, with_locksets());
    expect_clean(result);
    if (is_whole_program()) return;
    EXPECT_TRUE(has(result.notes, kUnprotected)) << result;
    EXPECT_TRUE(has(result.notes, "holding `mine`") && has(result.notes, "holding `yours`"));
    EXPECT_TRUE(has(result.notes, "has seen no race there in 200 runs")) << result;
    std::string again = replayed(first_line(result.notes), body, with_locksets());
    EXPECT_TRUE(has(again, kUnprotected)) << again;
  }
}

TEST(Locksets, AreLookedAtInEveryRun) {
  raddle::Options options = with_locksets();
  options.schedules = 3000;
  raddle::Result result = raddle::check(take_turns<Locks::differ_rarely>, options);
  expect_clean(result);
  EXPECT_TRUE(is_whole_program() || has(result.notes, kUnprotected)) << result;
}

TEST(Locksets, AreLookedAtByAutoToo) {
  raddle::Result result = raddle::check(take_turns<Locks::differ>, with_locksets("auto"));
  expect_clean(result);
  EXPECT_TRUE(is_whole_program() || has(result.notes, kUnprotected)) << result;
}

TEST(Locksets, NothingIsSaidOfDataWithOneLock) {
  raddle::Result result = raddle::check(take_turns<Locks::same>, with_locksets());
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
}

TEST(Locksets, AreLeftOutUnlessAskedFor) {
  raddle::Options options = with_locksets();
  options.locksets = false;
  raddle::Result result = raddle::check(take_turns<Locks::differ>, options);
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
  if (is_whole_program()) return;
  {
    Variable asked("RADDLE_LOCKSETS", "1");
    EXPECT_TRUE(has(raddle::check(take_turns<Locks::differ>, options).notes, kUnprotected));
  }
  Variable refused("RADDLE_LOCKSETS", "0");
  EXPECT_EQ(raddle::check(take_turns<Locks::differ>, with_locksets()).notes, "");
}

TEST(Locksets, StandBesideARace) {
  raddle::Options options = with_locksets();
  options.keep_going = true;  // a single run is not enough
  raddle::Result result = raddle::check(race<false>, options);
  if (is_whole_program()) return;
  expect_found(result, "data-race", "entries");
  EXPECT_TRUE(has(result.notes, kUnprotected)) << result;
  EXPECT_TRUE(has(result.notes, "the race detector has seen a race there, too")) << result;
  result = raddle::check(race<true>, with_locksets());
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
}

// Their runs record too little.
TEST(Locksets, AreNotLookedAtBySystematicSearches) {
  raddle::Result result = raddle::check(take_turns<Locks::differ>, with_locksets("dpor"));
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
}

TEST(Locksets, DoNotGoWithoutAccesses) {
  raddle::Options options = with_locksets();
  options.races = "off";
  raddle::Result result = raddle::check(take_turns<Locks::same>, options);
  if (is_whole_program()) return;
  EXPECT_TRUE(has(result.error, "locksets: with races off")) << result;
}

TEST(Locksets, AreAnOptionOfAdaptersToo) {
  raddle::adapter::TestCase test;
  EXPECT_EQ(raddle::adapter::request_of(test, nullptr, nullptr).locksets, 0u);
  test.options.locksets = true;
  test.options.atomicity = "fail";
  raddle_check_request request = raddle::adapter::request_of(test, nullptr, nullptr);
  EXPECT_EQ(request.locksets, 1u);
  EXPECT_STREQ(request.atomicity, "fail");
}

}  // namespace
