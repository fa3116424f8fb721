// SPDX-License-Identifier: Apache-2.0
//
// dfs in process: the number of interleavings is the one that a brute force over a model of the
// body gives, what the runs can end in is exactly what they end in, and budgets are kept to.
// Compiled by `raddle c++`.
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "harness.h"

namespace {

// How many interleavings threads have that are strings of operations: `c` creates the next thread
// that does not run yet, `s` is a step, `l` and `u` lock and unlock the one mutex, a digit joins
// that thread. The first thread runs from the beginning.
class Model {
 public:
  explicit Model(std::vector<std::string> threads)
      : threads_(std::move(threads)), at_(threads_.size(), 0) {}

  std::uint64_t count() {
    std::uint64_t total = 0;
    bool over = true;
    for (std::size_t t = 0; t < created_; ++t) {
      if (at_[t] == threads_[t].size() || !enabled(threads_[t][at_[t]])) continue;
      over = false;
      Model after = *this;
      after.step(t);
      total += after.count();
    }
    return over ? 1 : total;
  }

 private:
  bool enabled(char op) const {
    if (op == 'l') return !locked_;
    if (op < '0' || op > '9') return true;
    auto joined = static_cast<std::size_t>(op - '0');
    return at_[joined] == threads_[joined].size();
  }

  void step(std::size_t thread) {
    char op = threads_[thread][at_[thread]++];
    if (op == 'c') ++created_;
    if (op == 'l') locked_ = true;
    if (op == 'u') locked_ = false;
  }

  std::vector<std::string> threads_;
  std::vector<std::size_t> at_;
  std::size_t created_ = 1;
  bool locked_ = false;
};

raddle::Options dfs() {
  raddle::Options options;
  options.strategy = "dfs";
  options.schedules = 1'000'000;
  return options;
}

void expect_all(const raddle::Result& result, std::uint64_t expected) {
  expect_clean(result);
  EXPECT_EQ(result.schedules, expected);
  EXPECT_TRUE(result.complete);
  std::string number = std::to_string(expected);
  if (number.size() > 3) number.insert(number.size() - 3, ",");
  std::string words = expected == 1 ? "the only interleaving" : "all " + number + " interleavings";
  EXPECT_NE(result.guarantee.find(words), std::string::npos) << result.guarantee;
}

TEST(Model, AgreesWithCountsByHand) {
  EXPECT_EQ(Model({"sss"}).count(), 1u);
  // Start and one step of the thread among one step of the first: 3 over 1.
  EXPECT_EQ(Model({"cs1", "ss"}).count(), 3u);
  EXPECT_EQ(Model({"css1", "sss"}).count(), 10u);  // 5 over 2
  EXPECT_EQ(Model({"clu1", "lu"}).count(), 2u);
  EXPECT_EQ(Model({"cc12", "ss", "ss"}).count(), 19u);
}

TEST(Dfs, StepsOfTwoThreads) {
  for (int mine = 0; mine < 4; ++mine) {
    for (int theirs = 0; theirs < 4; ++theirs) {
      auto body = [=] {
        std::atomic<int> number{0};
        std::thread other([&] {
          for (int i = 0; i < theirs; ++i) ++number;
        });
        for (int i = 0; i < mine; ++i) ++number;
        other.join();
      };
      auto steps = [](int count) { return std::string(static_cast<std::size_t>(count), 's'); };
      std::uint64_t expected = Model({"c" + steps(mine) + "1", "s" + steps(theirs)}).count();
      expect_all(raddle::check(body, dfs()), expected);
    }
  }
}

TEST(Dfs, StepsOfThreeThreads) {
  auto body = [] {
    std::atomic<int> number{0};
    std::thread one([&] { ++number; });
    std::thread two([&] { ++number; });
    ++number;
    one.join();
    two.join();
  };
  expect_all(raddle::check(body, dfs()), Model({"ccs12", "ss", "ss"}).count());
}

TEST(Dfs, CriticalSections) {
  auto body = [] {
    std::mutex mutex;
    std::atomic<int> number{0};
    auto add = [&] {
      std::lock_guard lock(mutex);
      ++number;
    };
    std::thread other(add);
    add();
    other.join();
  };
  expect_all(raddle::check(body, dfs()), Model({"clsu1", "slsu"}).count());
}

TEST(Dfs, ThousandsOfInterleavings) {
  auto body = [] {
    std::atomic<int> number{0};
    auto add = [&] {
      for (int i = 0; i < 7; ++i) ++number;
    };
    std::thread other(add);
    add();
    other.join();
  };
  // 15 over 7.
  expect_all(raddle::check(body, dfs()), 6435);
}

TEST(Dfs, FewerRunsThanThereAre) {
  auto body = [] {
    std::atomic<int> number{0};
    std::thread other([&] { number += 1; });
    number += 2;
    number += 3;
    other.join();
  };
  raddle::Options options = dfs();
  options.schedules = 5;
  raddle::Result result = raddle::check(body, options);
  expect_clean(result);
  EXPECT_EQ(result.schedules, 5u);
  EXPECT_FALSE(result.complete);
  EXPECT_NE(result.guarantee.find("there are more"), std::string::npos) << result.guarantee;
  options.schedules = 6;
  EXPECT_EQ(raddle::check(body, options).schedules, 6u);
  expect_all(raddle::check(body, dfs()), 6);  // 4 over 2
}

// What runs leave in captured variables is there afterwards.
TEST(Outcomes, StoreBufferingNeverReadsTwoZeros) {
  for (const char* strategy : {"dfs", "random"}) {
    std::set<std::pair<int, int>> seen;
    std::uint64_t runs = 0;
    auto body = [&] {
      std::atomic<int> x{0}, y{0};
      int left = 0, right = 0;
      std::thread other([&] {
        x.store(1);
        left = y.load();
      });
      y.store(1);
      right = x.load();
      other.join();
      seen.insert({left, right});
      ++runs;
    };
    raddle::Options options = dfs();
    options.strategy = strategy;
    options.schedules = 500;
    raddle::Result result = raddle::check(body, options);
    expect_clean(result);
    EXPECT_EQ(runs, result.schedules);
    EXPECT_EQ(seen, (std::set<std::pair<int, int>>{{0, 1}, {1, 0}, {1, 1}}));
  }
}

TEST(Outcomes, LostUpdate) {
  std::set<int> seen;
  auto body = [&] {
    std::atomic<int> number{0};
    auto add = [&] { number.store(number.load() + 1); };
    std::thread other(add);
    add();
    other.join();
    seen.insert(number.load());
  };
  expect_all(raddle::check(body, dfs()), Model({"css1s", "sss"}).count());
  EXPECT_EQ(seen, (std::set<int>{1, 2}));
}

TEST(KeepGoing, ReportsEachFailureOnceAndCoversTheRest) {
  auto body = [] {
    std::atomic<int> number{0};
    std::thread other([&] { number.store(1); });
    int first = number.load(), second = number.load();
    other.join();
    RADDLE_ASSERT(first == 0);
    RADDLE_ASSERT(second == first);
  };
  raddle::Options options = dfs();
  raddle::Result stopped = raddle::check(body, options);
  EXPECT_EQ(stopped.findings.size(), 1u);
  EXPECT_FALSE(stopped.complete);
  options.keep_going = true;
  raddle::Result result = raddle::check(body, options);
  ASSERT_EQ(result.findings.size(), 2u) << result;
  EXPECT_NE(result.findings[0].message, result.findings[1].message);
  EXPECT_NE(result.findings[0].schedule_file, result.findings[1].schedule_file);
  EXPECT_EQ(result.schedules, Model({"css1", "ss"}).count());
  EXPECT_TRUE(result.complete);
}

void endless_supply() {
  std::atomic<int> number{0};
  auto add = [&] {
    for (int i = 0; i < 20; ++i) ++number;
  };
  std::thread one(add), two(add);
  add();
  one.join();
  two.join();
}

TEST(Budget, Schedules) {
  for (const char* strategy : {"auto", "random", "pct", "pos", "urw", "surw", "dfs"}) {
    for (std::uint64_t schedules : {1, 2, 17, 1000}) {
      raddle::Options options;
      options.strategy = strategy;
      options.schedules = schedules;
      std::uint64_t runs = 0;
      raddle::Result result = raddle::check(
          [&] {
            endless_supply();
            ++runs;
          },
          options);
      expect_clean(result);
      // Those that a sleep set cuts short count as tried, not as schedules.
      EXPECT_EQ(result.schedules + result.blocked, schedules) << strategy;
      EXPECT_EQ(runs, result.schedules) << strategy;
      EXPECT_FALSE(result.complete);
    }
  }
}

TEST(Budget, Time) {
  for (const char* strategy : {"auto", "random", "dfs"}) {
    raddle::Options options;
    options.strategy = strategy;
    options.milliseconds = 200;
    auto begin = std::chrono::steady_clock::now();
    raddle::Result result = raddle::check(endless_supply, options);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    expect_clean(result);
    EXPECT_GE(result.seconds, 0.19) << strategy;
    EXPECT_LT(took.count(), 2) << strategy;  // much less, but the machine may be busy
    EXPECT_GT(result.schedules, 100u) << strategy;
    EXPECT_FALSE(result.complete);
  }
}

TEST(Seed, SameSeedSameResult) {
  auto body = [] {
    std::atomic<int> number{0};
    auto add = [&] {
      for (int i = 0; i < 3; ++i) number.store(number.load() + 1);
    };
    std::thread one(add), two(add);
    add();
    one.join();
    two.join();
    RADDLE_ASSERT(number.load() > 3);
  };
  std::set<std::uint64_t> runs;
  for (std::uint64_t seed : {1, 2, 3, 4, 5}) {
    raddle::Options options;
    options.strategy = "random";
    options.seed = seed;
    options.schedules = 100'000;
    raddle::Result first = raddle::check(body, options), second = raddle::check(body, options);
    expect_found(first, "assertion", "number.load() > 3");
    expect_found(second, "assertion", "number.load() > 3");
    EXPECT_EQ(first.schedules, second.schedules);
    EXPECT_EQ(first.steps, second.steps);
    EXPECT_NE(first.findings[0].schedule_file, second.findings[0].schedule_file);
    EXPECT_EQ(content(first.findings[0].schedule_file), content(second.findings[0].schedule_file));
    EXPECT_EQ(first.findings[0].story, second.findings[0].story);
    runs.insert(first.schedules);
  }
  EXPECT_GT(runs.size(), 1u);  // other seeds are other schedules
}

}  // namespace
