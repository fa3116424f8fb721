// SPDX-License-Identifier: Apache-2.0
//
// A semaphore with a maximum, which refuses to be released beyond it. The bug: several permits are
// released one by one after one look at the count, so two releases at a time end above the maximum.
// A test of bench/gambit.
#include <condition_variable>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class LimitedSemaphore {
 public:
  LimitedSemaphore(int permits, int limit) : limit_(limit), permits_(permits) {}

  bool release(int count) {
    std::unique_lock<std::mutex> hold(lock_);
    if (permits_ + count > limit_) return false;
    for (int i = 0; i < count; ++i) {
      ++permits_;
      // Waiters get a chance after each permit.
      if (!fixed) hold.unlock();
      available_.notify_one();
      if (!fixed) hold.lock();
    }
    return true;
  }

  void acquire() {
    std::unique_lock<std::mutex> hold(lock_);
    available_.wait(hold, [&] { return permits_ > 0; });
    --permits_;
  }

  int permits() {
    std::lock_guard<std::mutex> hold(lock_);
    return permits_;
  }

 private:
  const int limit_;
  std::mutex lock_;
  std::condition_variable available_;
  int permits_;
};

template <bool fixed>
void test() {
  LimitedSemaphore<fixed> semaphore(1, 3);
  gambit::Thread user([&] {
    semaphore.acquire();
    semaphore.release(1);
  });
  gambit::Thread giver([&] { semaphore.release(2); });
  semaphore.release(2);
  giver.join();
  user.join();
  RADDLE_ASSERT(semaphore.permits() <= 3);
}

}  // namespace

const gambit::Test gambit::semaphore_limit{"semaphore_limit", "assertion",
                                           "permits are added after one look at the count",
                                           test<false>, test<true>};
