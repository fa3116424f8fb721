// SPDX-License-Identifier: Apache-2.0
//
// Two threads that each need two locks, and give way when they do not get the second one: they try
// again once the other has had time. The bug: both give way to each other, in step, for ever. The
// fix: locks are taken in one order. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

class TryLock {
 public:
  bool try_lock() { return !taken_.exchange(true); }
  void unlock() { taken_.store(false); }

 private:
  std::atomic<bool> taken_{false};
};

template <bool fixed>
class Pair {
 public:
  // Locks `first` and the other one.
  void lock(int first) {
    if (fixed) first = 0;
    for (bool again = false;; again = true) {
      while (!locks_[first].try_lock()) std::this_thread::yield();
      if (again) std::this_thread::yield();  // the other one may be first this time
      if (locks_[1 - first].try_lock()) return;
      std::this_thread::yield();  // perhaps the other thread needs what we have
      locks_[first].unlock();
      std::this_thread::yield();
    }
  }
  void unlock() {
    locks_[0].unlock();
    locks_[1].unlock();
  }

 private:
  TryLock locks_[2];
};

template <bool fixed>
void test() {
  Pair<fixed> pair;
  std::atomic<int> inside{0};
  auto work = [&](int first) {
    for (int i = 0; i < 2; ++i) {
      pair.lock(first);
      RADDLE_ASSERT(inside.fetch_add(1) == 0);
      inside.fetch_sub(1);
      pair.unlock();
    }
  };
  gambit::Thread other([&] { work(1); });
  work(0);
}

}  // namespace

const gambit::Test gambit::polite_locks{"polite_locks", "lockstep-livelock",
                                        "both give way in step", test<false>, test<true>};
