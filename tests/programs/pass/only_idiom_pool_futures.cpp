// SPDX-License-Identifier: Apache-2.0
// A pool that hands out futures: results, exceptions, and a task that waits for another one by
// helping.
// SCHEDULES: 20
#include <cassert>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using Task = std::packaged_task<int()>;

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(guard_);
      closed_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  std::future<int> submit(Task task) {
    auto result = task.get_future();
    std::lock_guard lock(guard_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
    return result;
  }
  bool help(std::unique_lock<std::mutex> lock) {
    if (tasks_.empty()) return false;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    return true;
  }
  std::unique_lock<std::mutex> lock() { return std::unique_lock(guard_); }

 private:
  void run() {
    while (true) {
      auto held = lock();
      changed_.wait(held, [this] { return closed_ || !tasks_.empty(); });
      if (!help(std::move(held))) return;
    }
  }

  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

int main() {
  Pool pool(2);
  auto outer = pool.submit(Task([&pool] {
    auto inner = pool.submit(Task([] { return 20; }));
    while (inner.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
      if (!pool.help(pool.lock())) std::this_thread::yield();
    return inner.get() + 1;
  }));
  auto failing = pool.submit(Task([]() -> int { throw std::logic_error("by design"); }));
  assert(outer.get() == 21);
  bool caught = false;
  try {
    failing.get();
  } catch (const std::logic_error&) {
    caught = true;
  }
  assert(caught);
  return 0;
}
