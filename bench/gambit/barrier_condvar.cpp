// SPDX-License-Identifier: Apache-2.0
//
// A barrier that is used again and again. The bug: threads wait for the count to be back at zero,
// and a fast one that is at the barrier a second time counts again before a slow one has looked.
// The fix: threads wait for the generation to change. A test of bench/gambit.
#include <condition_variable>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class Barrier {
 public:
  explicit Barrier(int parties) : parties_(parties) {}

  void arrive_and_wait() {
    std::unique_lock<std::mutex> hold(lock_);
    const int generation = generation_;
    if (++arrived_ == parties_) {
      arrived_ = 0;
      ++generation_;
      all_here_.notify_all();
      return;
    }
    if (fixed)
      all_here_.wait(hold, [&] { return generation_ != generation; });
    else
      all_here_.wait(hold, [&] { return arrived_ == 0; });
  }

 private:
  const int parties_;
  std::mutex lock_;
  std::condition_variable all_here_;
  int arrived_ = 0;
  int generation_ = 0;
};

// Says when a phase may begin, and hears when all threads have done their part of it.
class Phases {
 public:
  void admit(int phase) {
    std::lock_guard<std::mutex> hold(lock_);
    phase_ = phase;
    changed_.notify_all();
  }
  void wait_for(int phase) {
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [&] { return phase_ >= phase; });
  }
  void count() {
    std::lock_guard<std::mutex> hold(lock_);
    ++counted_;
    changed_.notify_all();
  }
  void wait_for_count(int count) {
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [&] { return counted_ >= count; });
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  int phase_ = 0;
  int counted_ = 0;
};

template <bool fixed>
void test() {
  Barrier<fixed> barrier(2);
  Phases phases;
  auto work = [&] {
    for (int phase = 1; phase <= 2; ++phase) {
      phases.wait_for(phase);
      phases.count();
      barrier.arrive_and_wait();
    }
  };
  gambit::Thread one(work);
  gambit::Thread two(work);
  for (int phase = 1; phase <= 2; ++phase) {
    phases.admit(phase);
    phases.wait_for_count(2 * phase);
  }
}

}  // namespace

const gambit::Test gambit::barrier_condvar{"barrier_condvar", "deadlock",
                                           "a fast thread is back before a slow one has left",
                                           test<false>, test<true>};
