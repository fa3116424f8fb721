// SPDX-License-Identifier: Apache-2.0
//
// Event schedules and exploration together, in process: the bounded queue with both its schedules,
// what is said of schedules that cannot be used, cannot be satisfied or are violated, and that a
// schedule filters the interleavings that dfs enumerates. Compiled by `raddle c++`.
#include <raddle/event.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "harness.h"

namespace {

class Queue {
 public:
  void add(int item) {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return !full_; });
    item_ = item;
    full_ = true;
    changed_.notify_one();
  }

  int take() {
    std::unique_lock lock(guard_);
    while (!full_) {
      ++waits_;
      changed_.wait(lock);
    }
    full_ = false;
    changed_.notify_one();
    return item_;
  }

  // The mutant: it looks again and again instead of waiting.
  int take_spinning() {
    for (;;) {
      std::unique_lock lock(guard_);
      if (!full_) continue;
      full_ = false;
      changed_.notify_one();
      return item_;
    }
  }

  int waits() const { return waits_; }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool full_ = false;
  int item_ = 0;
  int waits_ = 0;
};

const char* const kWaiting = "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2";
const char* const kReady = "finishedAdd1 -> startingTake1, finishedAdd2 -> startingTake2";

template <int (Queue::*take)()>
int waits_of_queue() {
  Queue queue;
  std::thread producer([&] {
    raddle::name_thread("producer");
    queue.add(1);
    RADDLE_EVENT("finishedAdd1");
    RADDLE_EVENT("startingAdd2");
    queue.add(2);
    RADDLE_EVENT("finishedAdd2");
  });
  RADDLE_EVENT("startingTake1");
  int first = (queue.*take)();
  RADDLE_EVENT("startingTake2");
  int second = (queue.*take)();
  producer.join();
  RADDLE_ASSERT(first == 1 && second == 2);
  return queue.waits();
}

raddle::Options scheduled(const std::string& schedule, const char* strategy = "random",
                          std::uint64_t schedules = 1000) {
  raddle::Options options;
  options.strategy = strategy;
  options.schedules = schedules;
  options.max_steps = 3000;
  options.schedule_name = "wanted";
  options.schedule = schedule;
  return options;
}

// Acceptance 1: 1,000 of 1,000. check_test.py runs this while all cores are busy.
TEST(Queue, KeepsItsSchedulesInEveryRun) {
  // Not auto, which is through with it before.
  for (const char* strategy : {"random", "surw", "pct"}) {
    std::uint64_t runs = 0;
    auto waiting = [&] {
      RADDLE_ASSERT(raddle::current_schedule() == std::string("wanted"));
      RADDLE_ASSERT(waits_of_queue<&Queue::take>() == 1);
      ++runs;
    };
    auto ready = [&] {
      RADDLE_ASSERT(waits_of_queue<&Queue::take>() == 0);
      ++runs;
    };
    raddle::Result first = raddle::check(waiting, scheduled(kWaiting, strategy));
    raddle::Result second = raddle::check(ready, scheduled(kReady, strategy));
    for (const raddle::Result* result : {&first, &second}) {
      expect_clean(*result);
      EXPECT_EQ(result->schedules, is_whole_program() ? 1u : 1000u);
      EXPECT_EQ(result->infeasible, 0u);
    }
    EXPECT_EQ(runs, is_whole_program() ? 2u : 2000u);
  }
  EXPECT_STREQ(raddle::current_schedule(), "");
}

TEST(Queue, WithoutAScheduleThereAreBoth) {
  int least = 100, most = 0;
  auto body = [&] {
    int waits = waits_of_queue<&Queue::take>();
    least = std::min(least, waits);
    most = std::max(most, waits);
  };
  raddle::Options options;
  options.schedules = 1000;
  expect_clean(raddle::check(body, options));
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, 2);
}

// Acceptance 2: blocked is not who spins.
TEST(Queue, SpinningIsNotWaiting) {
  auto body = [] { waits_of_queue<&Queue::take_spinning>(); };
  raddle::Result result = raddle::check(body, scheduled(kWaiting));
  EXPECT_FALSE(result.passed());
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(result.findings[0].kind, "livelock");
  EXPECT_NE(result.findings[0].message.find(
                "T1 producer is paused before `startingAdd2` by `[startingTake2] -> startingAdd2`"),
            std::string::npos)
      << result.findings[0].message;
  expect_clean(raddle::check(body, scheduled("finishedAdd2 -> startingTake2")));
}

// Acceptance 3.
TEST(Unusable, IsAnErrorBeforeAnyRun) {
  auto error = [](const std::string& text) {
    raddle::Result result = raddle::check([] {}, scheduled(text));
    EXPECT_FALSE(result.passed());
    EXPECT_EQ(result.findings.size(), 0u);
    return result.error;
  };
  EXPECT_NE(error("a -> b, b -> a").find("form a cycle"), std::string::npos);
  EXPECT_NE(error("a ->").find("column 5"), std::string::npos);
  EXPECT_NE(error("a -> [b]").find("column"), std::string::npos);
  EXPECT_NE(error("(a -> b").find("column"), std::string::npos);
  EXPECT_NE(error("a - b").find("column"), std::string::npos);
}

void two_threads() {
  std::thread other([] {
    raddle::name_thread("other");
    RADDLE_EVENT("a");
    RADDLE_EVENT("b");
  });
  RADDLE_EVENT("x");
  RADDLE_EVENT("y");
  other.join();
}

TEST(Infeasible, IsADeadlockOfTheSchedule) {
  auto body = [] { waits_of_queue<&Queue::take>(); };
  raddle::Result result = raddle::check(body, scheduled("finishedAdd2 -> startingTake1"));
  expect_found(result, "schedule-deadlock",
               "T0 main is paused before `startingTake1` by `finishedAdd2 -> startingTake1`, but "
               "`finishedAdd2` has not happened");
  expect_clean(raddle::check(body, scheduled(kWaiting)));
}

TEST(Infeasible, CanBeExpected) {
  auto body = [] { waits_of_queue<&Queue::take>(); };
  for (const char* strategy : {"random", "auto", "dfs"}) {
    raddle::Options options = scheduled("finishedAdd2 -> startingTake1", strategy, 100);
    options.expect_infeasible = true;
    raddle::Result result = raddle::check(body, options);
    expect_clean(result);
    EXPECT_EQ(result.infeasible, result.schedules) << strategy;
    EXPECT_GE(result.infeasible, 1u);
    options.schedule = "finishedAdd1 -> startingTake1";  // but this one is feasible
    EXPECT_FALSE(raddle::check(body, options).passed()) << strategy;
  }
}

TEST(Infeasible, OtherFailuresStillCount) {
  raddle::Options options = scheduled("never -> x");
  options.expect_infeasible = true;
  auto body = [] {
    std::thread other([] { RADDLE_ASSERT(!"wrong all the same"); });
    other.join();
    RADDLE_EVENT("x");
  };
  expect_found(raddle::check(body, options), "assertion", "wrong all the same");
}

TEST(OwnDeadlock, IsToldApart) {
  auto body = [] {
    std::mutex one, two;
    std::thread other([&] {
      std::lock_guard first(two);
      RADDLE_EVENT("hasTwo");
      std::lock_guard second(one);
    });
    {
      std::lock_guard first(one);
      RADDLE_EVENT("hasOne");
      std::lock_guard second(two);
    }
    other.join();
  };
  expect_found(raddle::check(body, scheduled("hasOne -> hasTwo, hasTwo -> later")), "deadlock",
               "held by");
  // The same with a schedule that rules it out, until it asks for too much itself.
  expect_found(raddle::check(body, scheduled("never -> hasTwo")), "schedule-deadlock", "`never`");
}

// Acceptance 4: an ordering is violated exactly if the program can do it the other way round.
TEST(Passive, FlagsEachReversal) {
  for (const char* schedule : {"x -> a", "a -> x", "y -> b", "b -> y", "y -> a", "a -> y",
                               "x -> a, a -> y", "start@other -> x", "end@other -> y"}) {
    raddle::Options options = scheduled(schedule);
    options.passive = true;
    raddle::Result result = raddle::check(two_threads, options);
    expect_found(result, "schedule-violation", "against `");
  }
  for (const char* schedule : {"a -> b", "x -> y", "start@other -> a", "b -> end@other"}) {
    raddle::Options options = scheduled(schedule);
    options.passive = true;
    raddle::Result result = raddle::check(two_threads, options);
    expect_clean(result);
    EXPECT_EQ(result.schedules, 1000u);
  }
}

TEST(Passive, NamesEveryOrderingThatIsViolated) {
  raddle::Options options = scheduled("never -> a, nowhere -> a");
  options.passive = true;
  raddle::Result result = raddle::check(two_threads, options);
  expect_found(result, "schedule-violation", "`never -> a`");
  expect_found(result, "schedule-violation", "`nowhere -> a`");
}

// With dfs a schedule proves the test over all interleavings that satisfy it: the orders of events
// that are seen are exactly those.
class Filter : public testing::Test {
 protected:
  static std::set<std::string> orders(const std::string& schedule) {
    std::set<std::string> seen;
    auto body = [&] {
      std::string order;
      auto pass = [&](const char* name) {
        RADDLE_EVENT(name);
        order += name;  // one step with the event: it is no point
      };
      std::thread other([&] {
        pass("a");
        pass("b");
      });
      pass("x");
      pass("y");
      other.join();
      seen.insert(order);
    };
    raddle::Options options = scheduled(schedule, "dfs", 1'000'000);
    options.races = "off";
    options.points = "sync";
    raddle::Result result = raddle::check(body, options);
    expect_clean(result);
    EXPECT_TRUE(result.complete) << schedule << ": " << result.guarantee;
    return seen;
  }
};

using Orders = std::set<std::string>;

TEST_F(Filter, LeavesExactlyTheInterleavingsThatSatisfyTheSchedule) {
  const Orders all{"abxy", "axby", "axyb", "xaby", "xayb", "xyab"};
  EXPECT_EQ(orders("a -> b"), all);
  EXPECT_EQ(orders("a || x -> y"), all);
  EXPECT_EQ(orders("a -> x"), (Orders{"abxy", "axby", "axyb"}));
  EXPECT_EQ(orders("b -> x"), (Orders{"abxy"}));
  EXPECT_EQ(orders("x -> a, y -> b"), (Orders{"xayb", "xyab"}));
  EXPECT_EQ(orders("a && x -> b"), (Orders{"axby", "axyb", "xaby", "xayb", "xyab"}));
  EXPECT_EQ(orders("b -> y, x -> a"), (Orders{"xaby"}));
  EXPECT_EQ(orders("(a && x) || b -> y"), (Orders{"abxy", "axby", "axyb", "xaby", "xayb"}));
}

}  // namespace
