// SPDX-License-Identifier: Apache-2.0
//
// Orders of locks that could deadlock, in runs that did not: tried by directed runs, told as notes
// that replay, refuted by complete searches. Compiled by `raddle c++`.
#include <raddle/event.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "harness.h"

namespace {

// One takes the locks after the other, each in an order of its own.
template <bool kept_apart>
void opposite_orders() {
  std::mutex one, two, state;
  std::condition_variable changed;
  bool done = false;
  std::thread other([&] {
    if (kept_apart) {
      std::unique_lock hold(state);
      changed.wait(hold, [&] { return done; });
    }
    std::lock_guard first(two);
    std::lock_guard second(one);
  });
  {
    std::lock_guard first(one);
    std::lock_guard second(two);
  }
  {
    std::lock_guard hold(state);
    done = true;
    changed.notify_one();
  }
  other.join();
}

// The only run that is made goes well.
raddle::Options one_run() {
  raddle::Options options = runs(1, "nonpreemptive");
  options.name = "one run";
  return options;
}

TEST(LockOrder, ThatMayDeadlockIsTriedByDirectedRuns) {
  raddle::Result result = raddle::check(opposite_orders<false>, one_run());
  if (is_whole_program()) return;
  expect_found(result, "deadlock", "held by");
  EXPECT_EQ(result.schedules, 1u);
}

// The same with two pairs of locks.
void two_pairs() {
  std::mutex a, b, c, d, state;
  std::condition_variable changed;
  bool done = false;
  std::thread other([&] {
    {
      std::unique_lock hold(state);
      changed.wait(hold, [&] { return done; });
    }
    {
      std::lock_guard first(b);
      std::lock_guard second(a);
    }
    {
      std::lock_guard first(d);
      std::lock_guard second(c);
    }
  });
  {
    std::lock_guard first(a);
    std::lock_guard second(b);
  }
  {
    std::lock_guard first(c);
    std::lock_guard second(d);
  }
  {
    std::lock_guard hold(state);
    done = true;
    changed.notify_one();
  }
  other.join();
}

TEST(LockOrder, ThatNoDirectedRunMakesADeadlockIsANote) {
  raddle::Result result = raddle::check(opposite_orders<true>, one_run());
  expect_clean(result);
  if (is_whole_program()) return;
  std::string told = "potential-deadlock: T0 holds `one` (";
  EXPECT_NE(result.notes.find(told), std::string::npos) << result;
  EXPECT_NE(replayed(result.notes, opposite_orders<true>, one_run()).find(told), std::string::npos);
  // A search that has been through all interleavings has refuted it.
  result = raddle::check(opposite_orders<true>, runs(0, "dpor"));
  expect_clean(result);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.notes, "");
}

TEST(LockOrder, OfSeveralReplaysTellsOfTheOneThatWasRecorded) {
  raddle::Result result = raddle::check(two_pairs, one_run());
  if (is_whole_program()) return;
  std::size_t first = result.notes.find("T0 holds `a`"), second = result.notes.find("T0 holds `c`");
  ASSERT_NE(first, std::string::npos) << result;
  ASSERT_NE(second, std::string::npos) << result;
  std::size_t end = result.notes.find('\n');
  for (const std::string& note : {result.notes.substr(0, end), result.notes.substr(end + 1)}) {
    std::string held = note.substr(note.find("T0 holds"), sizeof "T0 holds `a`" - 1);
    EXPECT_NE(replayed(note, two_pairs, one_run()).find(held), std::string::npos) << note;
  }
}

// A warning is no failure: what else is wrong with the test is still said.
TEST(LockOrder, AsANoteHidesNothing) {
  raddle::Options options = runs();
  options.schedule_name = "never";
  options.schedule = "never -> after";
  auto body = [] {
    opposite_orders<true>();
    RADDLE_EVENT("after");
  };
  raddle::Result result = raddle::check(body, options);
  if (is_whole_program()) return;
  expect_found(result, "schedule-deadlock", "never");
  options = runs();
  options.max_steps = 300;
  auto endless = [] {
    opposite_orders<true>();
    std::atomic<bool> stop{false};
    auto watch = [&] {
      while (!stop.load()) std::this_thread::yield();
    };
    std::thread other(watch);
    watch();
    other.join();
  };
  result = raddle::check(endless, options);
  EXPECT_NE(result.error.find("no run came to its end"), std::string::npos) << result;
}

TEST(LockOrder, ThatAllKeepToIsFine) {
  auto same_order = [] {
    std::mutex one, two;
    auto take_both = [&] {
      std::lock_guard first(one);
      std::lock_guard second(two);
    };
    std::thread other(take_both);
    take_both();
    other.join();
  };
  raddle::Result result = raddle::check(same_order, one_run());
  expect_clean(result);
  EXPECT_EQ(result.notes, "");
}

}  // namespace
