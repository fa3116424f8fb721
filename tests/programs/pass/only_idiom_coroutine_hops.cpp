// SPDX-License-Identifier: Apache-2.0
// A coroutine that hops between the threads of two executors; its frame is touched by one thread
// at a time only, and freed by the last one.
// SCHEDULES: 20
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <exception>
#include <mutex>
#include <queue>
#include <semaphore>
#include <thread>

namespace {

class Executor {
 public:
  void post(std::coroutine_handle<> handle) {
    std::lock_guard lock(guard_);
    ready_.push(handle);
    changed_.notify_one();
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(guard_);
    while (changed_.wait(lock, stop, [this] { return !ready_.empty(); })) {
      auto handle = ready_.front();
      ready_.pop();
      lock.unlock();
      handle.resume();
      lock.lock();
    }
  }

  std::mutex guard_;
  std::condition_variable_any changed_;
  std::queue<std::coroutine_handle<>> ready_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

struct HopTo {
  Executor& executor;
  bool await_ready() const { return false; }
  [[gnu::noinline]] void await_suspend(std::coroutine_handle<> handle) const {
    executor.post(handle);  // from here on another thread may use or free the frame
  }
  void await_resume() const {}
};

Task count(Executor& one, Executor& two, int& result, std::binary_semaphore& done) {
  co_await HopTo{one};
  result += 1;
  co_await HopTo{two};
  result += 10;
  done.release();
}

}  // namespace

int main() {
  int result = 0;
  std::binary_semaphore done{0};
  Executor one;
  Executor two;
  count(one, two, result, done);
  done.acquire();
  assert(result == 11);
  return 0;
}
