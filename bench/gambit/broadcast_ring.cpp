// SPDX-License-Identifier: Apache-2.0
//
// A ring that a writer writes without waiting for its readers: a slow one sees that it was lapped
// and jumps ahead. The bug: a reader looks at the slot's number before it reads the value, but not
// again afterwards. It takes a whole lap of the writer in between. A test of bench/gambit.
#include <array>
#include <atomic>

#include "gambit.h"

namespace {

constexpr int kSlots = 8;

template <bool fixed>
class BroadcastRing {
 public:
  void write(int value) {
    Slot& slot = slots_[static_cast<std::size_t>(written_ % kSlots)];
    slot.number.store(-1);  // being written
    slot.value.store(value);
    slot.number.store(written_);
    ++written_;
    head_.store(written_);
  }

  // The value with this number; false if it is not there yet or any more.
  bool read(int number, int* value) {
    if (number >= head_.load()) return false;
    Slot& slot = slots_[static_cast<std::size_t>(number % kSlots)];
    if (slot.number.load() != number) return false;
    *value = slot.value.load();
    return !fixed || slot.number.load() == number;
  }

 private:
  struct Slot {
    std::atomic<int> number{-1};
    std::atomic<int> value{0};
  };
  std::array<Slot, kSlots> slots_;
  int written_ = 0;  // the writer's own
  std::atomic<int> head_{0};
};

template <bool fixed>
void test() {
  BroadcastRing<fixed> ring;
  gambit::Thread reader([&] {
    for (int number = 0; number < 3; ++number) {
      int value = 0;
      if (ring.read(number, &value)) RADDLE_ASSERT(value == 100 + number);
    }
  });
  for (int number = 0; number < kSlots + 2; ++number) ring.write(100 + number);
}

}  // namespace

const gambit::Test gambit::broadcast_ring{"broadcast_ring", "assertion",
                                          "the slot's number is not looked at again", test<false>,
                                          test<true>};
