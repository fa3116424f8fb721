// SPDX-License-Identifier: Apache-2.0
//
// An event that lets one waiter through and resets itself. The bug: looking and resetting are two
// steps, so one set() lets two threads through. The fix: one exchange. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

template <bool fixed>
class AutoEvent {
 public:
  void set() { set_.store(true); }
  bool try_wait() {
    if (fixed) return set_.exchange(false);
    if (!set_.load()) return false;
    set_.store(false);
    return true;
  }

 private:
  std::atomic<bool> set_{false};
};

template <bool fixed>
void test() {
  AutoEvent<fixed> event;
  std::atomic<int> passed{0};
  auto wait = [&] {
    for (int i = 0; i < 3; ++i)
      if (event.try_wait()) passed.fetch_add(1);
  };
  gambit::Thread one(wait);
  gambit::Thread two(wait);
  event.set();
  one.join();
  two.join();
  RADDLE_ASSERT(passed.load() <= 1);
}

}  // namespace

const gambit::Test gambit::auto_event{
    "auto_event", "assertion", "looking and resetting are two steps", test<false>, test<true>};
