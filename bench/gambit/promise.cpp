// SPDX-License-Identifier: Apache-2.0
//
// A promise of a value and an error text, without locks. The bug: it is marked as ready when the
// value is there and the text is not yet. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

template <bool fixed>
class Promise {
 public:
  void set(int value, int text) {
    value_.store(value);
    if (!fixed) ready_.store(true);
    text_.store(text);
    if (fixed) ready_.store(true);
  }
  bool try_get(int* value, int* text) {
    if (!ready_.load()) return false;
    *value = value_.load();
    *text = text_.load();
    return true;
  }

 private:
  std::atomic<bool> ready_{false};
  std::atomic<int> value_{0};
  std::atomic<int> text_{0};
};

// A chain: each thread waits for the promise before its own.
template <bool fixed>
void test() {
  Promise<fixed> promises[3];
  auto link = [&](int n) {
    int value = 0, text = 0;
    while (!promises[n].try_get(&value, &text)) std::this_thread::yield();
    RADDLE_ASSERT(value == n + 1 && text == 100 + n);
    promises[n + 1].set(value + 1, text + 1);
  };
  gambit::Thread one([&] { link(0); });
  gambit::Thread two([&] { link(1); });
  promises[0].set(1, 100);
  int value = 0, text = 0;
  while (!promises[2].try_get(&value, &text)) std::this_thread::yield();
  RADDLE_ASSERT(value == 3 && text == 102);
}

}  // namespace

const gambit::Test gambit::promise{"promise", "assertion", "ready before all of it is there",
                                   test<false>, test<true>};
