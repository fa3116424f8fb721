// SPDX-License-Identifier: Apache-2.0
//
// A semaphore that takes its lock only when somebody has to wait. The bug: who is about to wait
// counts itself as a waiter after it has looked for a permit, and a release() between the two wakes
// nobody. A test of bench/gambit.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class SemaphoreSlim {
 public:
  explicit SemaphoreSlim(int permits) : permits_(permits) {}

  void acquire() {
    if (try_acquire()) return;
    std::unique_lock<std::mutex> hold(lock_);
    if (fixed) waiters_.fetch_add(1);
    while (!try_acquire()) {
      if (!fixed) waiters_.fetch_add(1);
      released_.wait(hold);
      if (!fixed) waiters_.fetch_sub(1);
    }
    if (fixed) waiters_.fetch_sub(1);
  }

  void release() {
    permits_.fetch_add(1);
    if (waiters_.load() == 0) return;
    std::lock_guard<std::mutex> hold(lock_);
    released_.notify_one();
  }

 private:
  bool try_acquire() {
    int seen = permits_.load();
    while (seen > 0)
      if (permits_.compare_exchange_strong(seen, seen - 1)) return true;
    return false;
  }

  std::atomic<int> permits_;
  std::atomic<int> waiters_{0};
  std::mutex lock_;
  std::condition_variable released_;
};

template <bool fixed>
void test() {
  SemaphoreSlim<fixed> semaphore(1);
  std::atomic<int> inside{0};
  auto work = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      semaphore.acquire();
      RADDLE_ASSERT(inside.fetch_add(1) == 0);
      inside.fetch_sub(1);
      semaphore.release();
    }
  };
  gambit::Thread one([&] { work(2); });
  gambit::Thread two([&] { work(1); });
  work(1);
}

}  // namespace

const gambit::Test gambit::semaphore_slim{"semaphore_slim", "deadlock",
                                          "a waiter counts itself after its last look", test<false>,
                                          test<true>};
