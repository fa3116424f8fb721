// SPDX-License-Identifier: Apache-2.0
//
// What bodies of tests are made of: threads of all sorts, thread-local data, statics, time, output,
// memory. All of it works, begins anew in every run, and leaves nothing behind. Compiled by
// `raddle c++`.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <iostream>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness.h"

namespace {

using namespace std::chrono_literals;

TEST(Threads, Nested) {
  expect_all_clean([] {
    std::atomic<int> sum{0};
    std::thread outer([&] {
      std::thread middle([&] {
        std::thread inner([&] { sum += 1; });
        sum += 10;
        inner.join();
      });
      sum += 100;
      middle.join();
    });
    outer.join();
    RADDLE_ASSERT(sum == 111);
  });
}

TEST(Threads, AHundred) {
  expect_all_clean(
      [] {
        std::atomic<int> sum{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 100; ++i) threads.emplace_back([&] { ++sum; });
        for (std::thread& thread : threads) thread.join();
        RADDLE_ASSERT(sum == 100);
      },
      50);
}

TEST(Threads, Detached) {
  expect_all_clean([] {
    auto promise = std::make_shared<std::promise<int>>();
    std::future<int> future = promise->get_future();
    std::thread([promise] { promise->set_value(7); }).detach();
    RADDLE_ASSERT(future.get() == 7);
  });
}

TEST(Threads, ExceptionsThatAreCaught) {
  expect_all_clean([] {
    std::atomic<int> caught{0};
    auto thrower = [&] {
      try {
        try {
          throw std::runtime_error("inner");
        } catch (const std::runtime_error&) {
          std::this_thread::yield();
          std::throw_with_nested(std::logic_error("outer"));
        }
      } catch (const std::logic_error&) {
        std::this_thread::yield();
        ++caught;
      }
    };
    std::thread one(thrower), two(thrower);
    thrower();
    one.join();
    two.join();
    RADDLE_ASSERT(caught == 3);
    RADDLE_ASSERT(std::uncaught_exceptions() == 0);
  });
}

TEST(Threads, JthreadAndStopToken) {
  expect_all_clean([] {
    std::atomic<bool> stopped{false};
    {
      std::jthread worker([&](std::stop_token token) {
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait(lock, token, [] { return false; });
        stopped = true;
      });
    }
    RADDLE_ASSERT(stopped);
  });
}

// -- thread-local data ---------------------------------------------------------------------------

std::atomic<int> made_locals, destroyed_locals;

struct Local {
  Local() { ++made_locals; }
  ~Local() { ++destroyed_locals; }
  int value = 0;
};

thread_local Local local;
thread_local int plain = 5;

TEST(ThreadLocal, IsFreshInEveryThreadOfEveryRun) {
  std::uint64_t made = 0;
  made_locals = 0;
  destroyed_locals = 0;
  raddle::Result result = raddle::check(
      [&] {
        std::mutex mutex;
        auto use = [&] {
          std::lock_guard lock(mutex);
          RADDLE_ASSERT(local.value == 0 && plain == 5);
          local.value = plain = 17;
        };
        std::thread one(use), two(use);
        one.join();
        two.join();
        ++made;
      },
      lasting(runs()));
  expect_clean(result);
  EXPECT_EQ(made_locals, static_cast<int>(2 * made));
  EXPECT_EQ(destroyed_locals, static_cast<int>(2 * made));
}

TEST(ThreadLocal, KeysAreFreshAndTheirDestructorsAreCalled) {
  static int destroyed;
  destroyed = 0;
  std::uint64_t made = 0;
  raddle::Result result = raddle::check(
      [&] {
        pthread_key_t key;
        RADDLE_ASSERT(pthread_key_create(&key, [](void*) { ++destroyed; }) == 0);
        static int value;
        RADDLE_ASSERT(pthread_getspecific(key) == nullptr);
        std::thread other([&] {
          RADDLE_ASSERT(pthread_getspecific(key) == nullptr);
          pthread_setspecific(key, &value);
        });
        other.join();
        pthread_key_delete(key);
        ++made;
      },
      lasting(runs(3000)));  // more than there are keys in a process
  expect_clean(result);
  EXPECT_EQ(destroyed, static_cast<int>(made));
}

TEST(ThreadLocal, AKeyOfTheProgramIsFreshInEveryRun) {
  static pthread_key_t key;
  ASSERT_EQ(pthread_key_create(&key, [](void* value) { ++*static_cast<int*>(value); }), 0);
  int destroyed = 0;
  std::uint64_t made = 0;
  raddle::Result result = raddle::check(
      [&] {
        std::thread other([&] {
          RADDLE_ASSERT(pthread_getspecific(key) == nullptr);
          pthread_setspecific(key, &destroyed);
        });
        other.join();
        ++made;
      },
      runs());
  expect_clean(result);
  EXPECT_EQ(destroyed, static_cast<int>(made));
  pthread_key_delete(key);
}

// Which the first run loads while its thread is alive: the linker puts the variable into blocks
// that later runs get set back.
TEST(ThreadLocal, OfALibraryThatIsLoadedLaterAreFresh) {
  static int (*number)() = nullptr;
  auto body = [] {
    std::atomic<bool> loaded{false};
    int seen = 0;
    std::thread reader([&] {
      while (!loaded.load()) std::this_thread::yield();
      seen = number();
    });
    if (number == nullptr)
      number =
          reinterpret_cast<int (*)()>(dlsym(dlopen("./late_library.so", RTLD_NOW), "late_number"));
    loaded.store(true);
    reader.join();
    RADDLE_ASSERT(seen == 42);
  };
  raddle::Result result = raddle::check(body, runs(50));
  EXPECT_TRUE(result.passed()) << result;
}

// -- statics and one-time initialisation ---------------------------------------------------------

TEST(Statics, LocalOnesAreInitialisedByTheFirstRunUnlessPutBack) {
  static int initialised;
  initialised = 0;
  raddle::Result result = raddle::check(
      [] {
        auto get = [] {
          static const std::unique_ptr<int> value = [] {
            ++initialised;
            return std::make_unique<int>(4);
          }();
          return *value;
        };
        std::thread other([&] { RADDLE_ASSERT(get() == 4); });
        RADDLE_ASSERT(get() == 4);
        other.join();
      },
      lasting(runs()));
  expect_clean(result);
  EXPECT_EQ(initialised, 1);
}

TEST(Statics, AFailureThatOnlyTheFirstRunCanShowIsFound) {
  raddle::Result result = raddle::check(
      [] {
        static std::atomic<int> used{0};
        std::thread other([] { ++used; });
        other.join();
        RADDLE_ASSERT(used > 1);
      },
      runs());
  if (is_whole_program()) return;
  expect_found(result, "assertion", "used > 1");
  EXPECT_EQ(result.schedules, 1u);
}

TEST(Statics, CallOnce) {
  std::set<int> winners;
  expect_all_clean([&] {
    std::once_flag once;
    int winner = 0, calls = 0;
    auto call = [&](int me) {
      std::call_once(once, [&] {
        winner = me;
        ++calls;
      });
      RADDLE_ASSERT(winner != 0);
    };
    std::thread other([&] { call(2); });
    call(1);
    other.join();
    RADDLE_ASSERT(calls == 1);
    winners.insert(winner);
  });
  if (is_whole_program()) return;
  EXPECT_EQ(winners, (std::set<int>{1, 2}));
}

// -- the library's other ways to wait ------------------------------------------------------------

TEST(Waiting, Async) {
  expect_all_clean([] {
    auto one = std::async(std::launch::async, [] { return 20; });
    auto two = std::async(std::launch::async, [] { return 22; });
    RADDLE_ASSERT(one.get() + two.get() == 42);
    auto wrong = std::async(std::launch::async, []() -> int { throw std::runtime_error("kept"); });
    try {
      wrong.get();
      RADDLE_ASSERT(!"the exception was lost");
    } catch (const std::runtime_error&) {
    }
  });
}

// An hour in every run, but not of the world's time.
TEST(Waiting, SleepsAndTimeoutsTakeNoTime) {
  auto begin = std::chrono::steady_clock::now();
  std::set<bool> timed_out;
  expect_all_clean([&] {
    std::mutex mutex;
    std::condition_variable changed;
    bool ready = false;
    auto before = std::chrono::steady_clock::now();
    std::thread other([&] {
      std::this_thread::sleep_for(1h);
      std::lock_guard lock(mutex);
      ready = true;
      changed.notify_one();
    });
    {
      std::unique_lock lock(mutex);
      RADDLE_ASSERT(!changed.wait_for(lock, 1s, [&] { return ready; }));
      RADDLE_ASSERT(changed.wait_for(lock, 3h, [&] { return ready; }));
    }
    auto slept = std::chrono::steady_clock::now() - before;
    RADDLE_ASSERT(slept >= 1h && slept < 2h);
    other.join();
  });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(Waiting, LatchBarrierSemaphore) {
  expect_all_clean([] {
    std::latch latch(2);
    std::barrier barrier(2);
    std::counting_semaphore<4> semaphore(0);
    std::atomic<int> phase{0};
    std::thread other([&] {
      latch.arrive_and_wait();
      ++phase;
      barrier.arrive_and_wait();
      RADDLE_ASSERT(phase == 2);
      barrier.arrive_and_wait();
      semaphore.release(2);
    });
    latch.arrive_and_wait();
    ++phase;
    barrier.arrive_and_wait();
    RADDLE_ASSERT(phase == 2);
    barrier.arrive_and_wait();
    semaphore.acquire();
    semaphore.acquire();
    RADDLE_ASSERT(!semaphore.try_acquire());
    other.join();
  });
}

TEST(Waiting, AtomicWait) {
  expect_all_clean([] {
    std::atomic<int> number{0};
    std::thread other([&] {
      number = 1;
      number.notify_one();
    });
    number.wait(0);
    RADDLE_ASSERT(number == 1);
    other.join();
  });
}

// -- the rest ------------------------------------------------------------------------------------

TEST(Output, OfRunsIsNotShown) {
  expect_all_clean([] {
    std::thread other([] { printf("printed by a thread of a run\n"); });
    std::cout << "written to a stream in a run" << std::endl;
    fputs("complained in a run\n", stderr);
    other.join();
  });
  printf("printed between two checks\n");
  expect_all_clean([] { printf("printed by a run\n"); });
}

long resident_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(Memory, IsGivenBack) {
  auto body = [] {
    auto work = [] {
      std::map<int, std::string> map;
      for (int i = 0; i < 100; ++i) map[i] = std::string(static_cast<std::size_t>(10 * i), 'x');
      for (int i = 0; i < 100; i += 2) map.erase(i);
      std::vector<char> large(1 << 20, 'y');
      RADDLE_ASSERT(map.size() == 50 && large.back() == 'y');
    };
    std::thread one(work), two(work);
    work();
    one.join();
    two.join();
  };
  expect_all_clean(body, 20);
  long before = resident_kilobytes();
  expect_all_clean(body, 300);
  // The runs allocate a gigabyte in all.
  EXPECT_LT(resident_kilobytes() - before, 30'000);
}

TEST(Memory, AllocatedByARunBelongsToTheProgramAfterwards) {
  std::vector<std::unique_ptr<std::string>> kept;
  expect_all_clean([&] {
    std::thread other([&] { kept.push_back(std::make_unique<std::string>(100, 'k')); });
    other.join();
  });
  for (const auto& text : kept) EXPECT_EQ(*text, std::string(100, 'k'));
  kept.clear();
}

}  // namespace
