// SPDX-License-Identifier: Apache-2.0
//
// A consistent look at several registers: they are read again and again until nothing has changed
// between two readings. The bug: values that were changed and changed back look unchanged, and the
// two halves of a reading are of different times. It takes many switches, each at its place. The
// fix: registers count their changes. A test of bench/gambit.
#include <array>
#include <atomic>

#include "gambit.h"

namespace {

template <bool fixed>
class Registers {
 public:
  void write(std::size_t which, int value) {
    int count = 0;  // of changes, in the upper part; there is one writer
    if (fixed) count = registers_[which].load() / kStep + 1;
    registers_[which].store(count * kStep + value);
  }

  // Both values, as they were at one time; false: they change too often.
  bool read_both(int* first, int* second) {
    std::array<int, 2> seen = collect();
    for (int attempts = 0; attempts < 2; ++attempts) {
      const std::array<int, 2> again = collect();
      if (again == seen) {
        *first = seen[0] % kStep;
        *second = seen[1] % kStep;
        return true;
      }
      seen = again;
    }
    return false;
  }

 private:
  static constexpr int kStep = 1000;
  std::array<int, 2> collect() { return {registers_[0].load(), registers_[1].load()}; }
  std::array<std::atomic<int>, 2> registers_{};
};

// The outer register is set before the inner one and cleared after it: the inner one alone is never
// set.
template <bool fixed>
void test() {
  Registers<fixed> registers;
  gambit::Thread reader([&] {
    int outer = 0, inner = 0;
    if (registers.read_both(&outer, &inner)) RADDLE_ASSERT(outer >= inner);
  });
  for (int round = 0; round < 2; ++round) {
    registers.write(0, 1);
    registers.write(1, 1);
    registers.write(1, 0);
    registers.write(0, 0);
  }
}

}  // namespace

const gambit::Test gambit::snapshot{"snapshot", "assertion",
                                    "what was changed back looks unchanged (ABA)", test<false>,
                                    test<true>};
