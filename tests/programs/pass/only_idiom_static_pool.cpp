// SPDX-License-Identifier: Apache-2.0
// A pool with static lifetime: its destructor, after main, lets the threads finish what is queued;
// an object built earlier sees the result, because it is destroyed later.
// SCHEDULES: 20
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Result {
  int sum = 0;
  std::mutex guard;
  ~Result() { assert(sum == 15); }
} result;

class Pool {
 public:
  Pool() {
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(guard_);
      closed_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  void post(std::function<void()> job) {
    std::lock_guard lock(guard_);
    jobs_.push(std::move(job));
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(guard_);
    while (true) {
      changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  std::mutex guard_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> jobs_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
} pool;

}  // namespace

int main() {
  for (int bit = 1; bit <= 8; bit *= 2)
    pool.post([bit] {
      std::lock_guard lock(result.guard);
      result.sum += bit;
    });
  return 0;
}
