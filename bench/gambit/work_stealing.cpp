// SPDX-License-Identifier: Apache-2.0
//
// A deque for work stealing: its owner pushes and pops at the bottom, thieves take from the top.
// The bug: the owner takes the last task without competing for it, so a thief that has read the
// same place gets it too. The fix: a compare-exchange of the top decides. A test of bench/gambit.
#include <array>
#include <atomic>

#include "gambit.h"

namespace {

constexpr int kTasks = 4;

template <bool fixed>
class WorkDeque {
 public:
  void push(int task) {
    const int bottom = bottom_.load();
    tasks_[static_cast<std::size_t>(bottom)].store(task);
    bottom_.store(bottom + 1);
  }

  int pop() {
    const int bottom = bottom_.load() - 1;
    bottom_.store(bottom);
    int top = top_.load();
    if (top > bottom) {  // empty
      bottom_.store(bottom + 1);
      return -1;
    }
    const int task = tasks_[static_cast<std::size_t>(bottom)].load();
    if (top < bottom) return task;
    bool mine = true;
    if (fixed)
      mine = top_.compare_exchange_strong(top, top + 1);
    else
      top_.store(top + 1);
    bottom_.store(bottom + 1);
    return mine ? task : -1;
  }

  int steal() {
    int top = top_.load();
    if (top >= bottom_.load()) return -1;
    const int task = tasks_[static_cast<std::size_t>(top)].load();
    return top_.compare_exchange_strong(top, top + 1) ? task : -1;
  }

 private:
  std::array<std::atomic<int>, kTasks> tasks_{};
  std::atomic<int> top_{0};
  std::atomic<int> bottom_{0};
};

template <bool fixed>
void test() {
  WorkDeque<fixed> deque;
  std::array<std::atomic<int>, kTasks> done{};
  auto perform = [&](int task) {
    if (task >= 0) RADDLE_ASSERT(done[static_cast<std::size_t>(task)].fetch_add(1) == 0);
  };
  gambit::Thread thief([&] {
    for (int i = 0; i < 3; ++i) perform(deque.steal());
  });
  for (int task = 0; task < kTasks; ++task) {
    deque.push(task);
    if (task == 1) perform(deque.pop());
  }
  for (int i = 0; i < kTasks; ++i) perform(deque.pop());
}

}  // namespace

const gambit::Test gambit::work_stealing{"work_stealing", "assertion",
                                         "owner and thief both take the last task", test<false>,
                                         test<true>};
