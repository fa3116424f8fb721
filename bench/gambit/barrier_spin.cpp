// SPDX-License-Identifier: Apache-2.0
//
// A barrier of atomics whose waiters spin on a sense that is turned round in every phase. The bug:
// the last to arrive turns the sense before it resets the count, and whoever is back at the barrier
// in between is not counted: all spin for ever. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

template <bool fixed>
class SpinBarrier {
 public:
  explicit SpinBarrier(int parties) : parties_(parties) {}

  void arrive_and_wait() {
    const bool sense = sense_.load();
    if (arrived_.fetch_add(1) + 1 == parties_) {
      if (fixed) arrived_.store(0);
      sense_.store(!sense);
      if (!fixed) arrived_.store(0);
      return;
    }
    while (sense_.load() == sense) std::this_thread::yield();
  }

 private:
  const int parties_;
  std::atomic<int> arrived_{0};
  std::atomic<bool> sense_{false};
};

template <bool fixed>
void test() {
  SpinBarrier<fixed> barrier(2);
  std::atomic<int> sum{0};
  auto work = [&] {
    for (int phase = 1; phase <= 3; ++phase) {
      sum.fetch_add(phase);
      barrier.arrive_and_wait();
      RADDLE_ASSERT(sum.load() >= phase * (phase + 1));  // both have added
    }
  };
  gambit::Thread other(work);
  work();
}

}  // namespace

const gambit::Test gambit::barrier_spin{
    "barrier_spin", "livelock", "the sense is turned before the reset", test<false>, test<true>};
