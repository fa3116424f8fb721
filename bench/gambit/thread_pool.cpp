// SPDX-License-Identifier: Apache-2.0
//
// A pool of threads that wait for tasks. The bug: stop() sets its flag without the lock, and its
// call for all may come between a worker's look at the flag and its waiting. A test of
// bench/gambit.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "gambit.h"

namespace {

template <bool fixed>
class ThreadPool {
 public:
  explicit ThreadPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  void submit(int task) {
    std::lock_guard<std::mutex> hold(lock_);
    tasks_.push_back(task);
    changed_.notify_one();
  }
  // Returns when all tasks are done.
  int stop() {
    {
      std::unique_lock<std::mutex> hold(lock_, std::defer_lock);
      if (fixed) hold.lock();
      stopped_.store(true);
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    return sum_.load();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock<std::mutex> hold(lock_);
      changed_.wait(hold, [&] { return !tasks_.empty() || stopped_.load(); });
      if (tasks_.empty()) return;
      const int task = tasks_.front();
      tasks_.pop_front();
      hold.unlock();
      sum_.fetch_add(task);
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<int> tasks_;
  std::atomic<bool> stopped_{false};
  std::atomic<int> sum_{0};
  std::vector<std::thread> threads_;
};

template <bool fixed>
void test() {
  ThreadPool<fixed> pool(2);
  for (int task = 1; task <= 3; ++task) pool.submit(task);
  RADDLE_ASSERT(pool.stop() == 6);
}

}  // namespace

const gambit::Test gambit::thread_pool{
    "thread_pool", "deadlock", "the flag is set between look and wait", test<false>, test<true>};
