// SPDX-License-Identifier: Apache-2.0
//
// A readers-writer lock of two atomics. The bug: a reader counts itself after it has seen that no
// writer is there, and a writer may have come in between. The fix: it counts itself first, and
// looks then. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

template <bool fixed>
class RwSpinlock {
 public:
  void lock_shared() {
    for (;;) {
      if (fixed) readers_.fetch_add(1);
      if (!writer_.load()) {
        if (!fixed) readers_.fetch_add(1);
        return;
      }
      if (fixed) readers_.fetch_sub(1);
      while (writer_.load()) std::this_thread::yield();
    }
  }
  void unlock_shared() { readers_.fetch_sub(1); }

  void lock() {
    while (writer_.exchange(true)) std::this_thread::yield();
    while (readers_.load() != 0) std::this_thread::yield();
  }
  void unlock() { writer_.store(false); }

 private:
  std::atomic<int> readers_{0};
  std::atomic<bool> writer_{false};
};

template <bool fixed>
void test() {
  RwSpinlock<fixed> lock;
  std::atomic<int> left{0}, right{0};  // equal whenever nobody writes
  auto read = [&] {
    for (int i = 0; i < 2; ++i) {
      lock.lock_shared();
      const int seen = left.load();
      RADDLE_ASSERT(right.load() == seen);
      lock.unlock_shared();
    }
  };
  gambit::Thread one(read);
  gambit::Thread two(read);
  for (int value = 1; value <= 2; ++value) {
    lock.lock();
    left.store(value);
    right.store(value);
    lock.unlock();
  }
}

}  // namespace

const gambit::Test gambit::rw_spinlock{
    "rw_spinlock", "assertion", "a reader is counted after its look", test<false>, test<true>};
