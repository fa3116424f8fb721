// SPDX-License-Identifier: Apache-2.0
//
// Shutting a thread pool down lets the running task finish and drops those that wait; tasks that
// come later are refused. A test of bench/sleeps.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "sleeps.h"

class ThreadPool {
 public:
  ThreadPool() : worker_([this] { work(); }) {}
  ~ThreadPool() { shut_down(); }

  bool submit(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    if (stopped_) return false;
    tasks_.push_back(std::move(task));
    changed_.notify_one();
    return true;
  }
  // The number of tasks that were dropped.
  std::size_t shut_down() {
    std::size_t dropped = 0;
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
      dropped = tasks_.size();
      tasks_.clear();
      changed_.notify_one();
    }
    if (worker_.joinable()) worker_.join();
    return dropped;
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopped_ || !tasks_.empty(); });
      if (stopped_) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopped_ = false;
  std::thread worker_;
};

SCHEDULE("taskRuns -> shuttingDown, [shuttingDown] -> taskEnds")

void test() {
  ThreadPool pool;
  std::atomic<int> finished{0};
  pool.submit([&] {
    RADDLE_EVENT("taskRuns");
    SLEEP(30);  // the pool is being shut down
    RADDLE_EVENT("taskEnds");
    CHECK(!pool.submit([] {}));
    ++finished;
  });
  pool.submit([&] { ++finished; });
  pool.submit([&] { ++finished; });
  SLEEP(10);  // the first task runs
  RADDLE_EVENT("shuttingDown");
  CHECK(pool.shut_down() == 2);
  CHECK(finished == 1);
}
