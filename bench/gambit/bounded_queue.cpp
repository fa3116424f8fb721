// SPDX-License-Identifier: Apache-2.0
//
// A queue of two producers and a consumer: a producer reserves a place and then fills it. The bug:
// a place counts as filled once it is reserved, and the consumer takes what is not there yet. The
// fix: each slot says that it is full. A test of bench/gambit.
#include <array>
#include <atomic>

#include "gambit.h"

namespace {

template <bool fixed>
class BoundedQueue {
 public:
  void push(int item) {
    const int place = tail_.fetch_add(1);
    Slot& slot = slots_[static_cast<std::size_t>(place)];
    slot.item.store(item);
    slot.full.store(true);
  }

  bool try_pop(int* item) {
    if (head_ == tail_.load()) return false;
    Slot& slot = slots_[static_cast<std::size_t>(head_)];
    if (fixed && !slot.full.load()) return false;
    *item = slot.item.load();
    ++head_;
    return true;
  }

 private:
  struct Slot {
    std::atomic<int> item{0};
    std::atomic<bool> full{false};
  };
  std::array<Slot, 8> slots_;
  std::atomic<int> tail_{0};
  int head_ = 0;  // the consumer's own
};

template <bool fixed>
void test() {
  BoundedQueue<fixed> queue;
  auto produce = [&](int first) {
    for (int i = 0; i < 3; ++i) queue.push(first + i);
  };
  gambit::Thread one([&] { produce(1); });
  gambit::Thread two([&] { produce(11); });
  for (int looks = 0; looks < 6; ++looks) {
    int item = 0;
    if (queue.try_pop(&item)) RADDLE_ASSERT(item != 0);
  }
}

}  // namespace

const gambit::Test gambit::bounded_queue{
    "bounded_queue", "assertion", "a reserved place counts as filled", test<false>, test<true>};
