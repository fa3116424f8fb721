// SPDX-License-Identifier: Apache-2.0
//
// Work is scattered over threads and their results are gathered. The bug: tasks are counted one by
// one as they are handed out, so that the count is back at zero, and gather() returns, when the
// first tasks are done before the last one was handed out. The fix: whoever scatters holds one
// count itself. A test of bench/gambit.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class Gatherer {
 public:
  Gatherer() : open_(fixed ? 1 : 0) {}

  void scatter(int task) {
    open_.fetch_add(1);
    std::lock_guard<std::mutex> hold(lock_);
    tasks_.push_back(task);
    changed_.notify_all();
  }

  // No more tasks.
  void close() {
    if (fixed) finish_one();
    std::lock_guard<std::mutex> hold(lock_);
    closed_ = true;
    changed_.notify_all();
  }

  void work() {
    for (;;) {
      int task = 0;
      {
        std::unique_lock<std::mutex> hold(lock_);
        changed_.wait(hold, [&] { return !tasks_.empty() || closed_; });
        if (tasks_.empty()) return;
        task = tasks_.front();
        tasks_.pop_front();
      }
      sum_.fetch_add(task);
      finish_one();
    }
  }

  int gather() {
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [&] { return all_done_; });
    return sum_.load();
  }

 private:
  void finish_one() {
    if (open_.fetch_sub(1) != 1) return;
    std::lock_guard<std::mutex> hold(lock_);
    all_done_ = true;
    changed_.notify_all();
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<int> tasks_;
  bool closed_ = false;
  bool all_done_ = false;
  std::atomic<int> open_;
  std::atomic<int> sum_{0};
};

template <bool fixed>
void test() {
  Gatherer<fixed> gatherer;
  gambit::Thread one([&] { gatherer.work(); });
  gambit::Thread two([&] { gatherer.work(); });
  for (int task = 1; task <= 3; ++task) gatherer.scatter(task);
  gatherer.close();
  RADDLE_ASSERT(gatherer.gather() == 6);
}

}  // namespace

const gambit::Test gambit::scatter_gather{"scatter_gather", "assertion",
                                          "the count is zero before all was handed out",
                                          test<false>, test<true>};
