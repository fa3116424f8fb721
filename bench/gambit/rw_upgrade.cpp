// SPDX-License-Identifier: Apache-2.0
//
// A readers-writer lock whose readers may become writers. The bug: two of them wait for each other
// to stop reading. The fix: only one may wait for that; the other is refused, has to stop reading
// and begins again. A test of bench/gambit.
#include <condition_variable>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class UpgradableLock {
 public:
  void lock_shared() {
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [&] { return !writing_ && !(fixed && upgrading_); });
    ++readers_;
  }
  void unlock_shared() {
    std::lock_guard<std::mutex> hold(lock_);
    --readers_;
    changed_.notify_all();
  }

  // From reading to writing. False: refused, and still reading.
  bool upgrade() {
    std::unique_lock<std::mutex> hold(lock_);
    if (fixed && upgrading_) return false;
    upgrading_ = true;
    changed_.wait(hold, [&] { return readers_ == 1; });
    upgrading_ = false;
    readers_ = 0;
    writing_ = true;
    return true;
  }
  void unlock() {
    std::lock_guard<std::mutex> hold(lock_);
    writing_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool upgrading_ = false;
  bool writing_ = false;
};

// A cache that is filled by whoever finds it empty.
template <bool fixed>
void test() {
  UpgradableLock<fixed> lock;
  int cached = 0, fillings = 0;
  auto read = [&] {
    for (;;) {
      lock.lock_shared();
      if (cached != 0) break;
      if (!lock.upgrade()) {
        lock.unlock_shared();
        continue;
      }
      cached = 7;
      ++fillings;
      lock.unlock();
    }
    RADDLE_ASSERT(cached == 7);
    lock.unlock_shared();
  };
  gambit::Thread one(read);
  gambit::Thread two(read);
  read();
  one.join();
  two.join();
  RADDLE_ASSERT(fillings == 1);
}

}  // namespace

const gambit::Test gambit::rw_upgrade{"rw_upgrade", "deadlock",
                                      "two readers wait for each other to become writers",
                                      test<false>, test<true>};
