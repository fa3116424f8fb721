// SPDX-License-Identifier: Apache-2.0
//
// A lock that works like the queue in a bakery: each draws a number higher than all others. The
// bug: while a thread draws, nobody knows, so that one with the same number, or none yet in sight,
// goes ahead. The fix: others wait until it has drawn. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

constexpr int kThreads = 3;

template <bool fixed>
class BakeryLock {
 public:
  void lock(int me) {
    if (fixed) drawing_[me].store(true);
    int highest = 0;
    for (std::atomic<int>& number : numbers_) {
      const int seen = number.load();
      if (seen > highest) highest = seen;
    }
    numbers_[me].store(highest + 1);
    if (fixed) drawing_[me].store(false);
    for (int other = 0; other < kThreads; ++other)
      if (other != me) wait_for(other, me, highest + 1);
  }
  void unlock(int me) { numbers_[me].store(0); }

 private:
  void wait_for(int other, int me, int mine) {
    while (fixed && drawing_[other].load()) std::this_thread::yield();
    for (;;) {
      const int number = numbers_[other].load();
      if (number == 0 || number > mine || (number == mine && other > me)) return;
      std::this_thread::yield();
    }
  }

  std::atomic<int> numbers_[kThreads]{};
  std::atomic<bool> drawing_[kThreads]{};
};

template <bool fixed>
void test() {
  BakeryLock<fixed> lock;
  std::atomic<int> inside{0};
  auto work = [&](int me) {
    lock.lock(me);
    RADDLE_ASSERT(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    lock.unlock(me);
  };
  gambit::Thread one([&] { work(1); });
  gambit::Thread two([&] { work(2); });
  work(0);
}

}  // namespace

const gambit::Test gambit::bakery_lock{"bakery_lock", "assertion", "nobody knows who is drawing",
                                       test<false>, test<true>};
