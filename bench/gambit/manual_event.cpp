// SPDX-License-Identifier: Apache-2.0
//
// An event that stays set until it is reset, with a fast path without the lock. The bug: wait()
// does not look again once it has the lock, so a set() between its look and its waiting wakes
// nobody. A test of bench/gambit.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class ManualEvent {
 public:
  void wait() {
    for (int spin = 0; spin < 2; ++spin)
      if (set_.load()) return;
    std::unique_lock<std::mutex> hold(lock_);
    if (fixed) {
      changed_.wait(hold, [&] { return set_.load(); });
      return;
    }
    do changed_.wait(hold);
    while (!set_.load());
  }

  void set() {
    std::lock_guard<std::mutex> hold(lock_);
    set_.store(true);
    changed_.notify_all();
  }

  void reset() { set_.store(false); }

 private:
  std::atomic<bool> set_{false};
  std::mutex lock_;
  std::condition_variable changed_;
};

// Ping-pong: each side resets its own event before it answers.
template <bool fixed>
void test() {
  ManualEvent<fixed> ping, pong;
  gambit::Thread other([&] {
    for (int round = 0; round < 2; ++round) {
      ping.wait();
      ping.reset();
      pong.set();
    }
  });
  for (int round = 0; round < 2; ++round) {
    ping.set();
    pong.wait();
    pong.reset();
  }
}

}  // namespace

const gambit::Test gambit::manual_event{"manual_event", "deadlock", "no second look under the lock",
                                        test<false>, test<true>};
