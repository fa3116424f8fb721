// SPDX-License-Identifier: Apache-2.0
// Futures that the C++ library makes ready when a thread ends.
// SCHEDULES: 200
#include <cassert>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

// The value is written by the thread, and becomes ready inside of the library.
static int promised() {
  std::promise<std::unique_ptr<int>> promise;
  auto result = promise.get_future();
  std::thread([promise = std::move(promise)]() mutable {
    promise.set_value_at_thread_exit(std::make_unique<int>(7));
  }).detach();
  return *result.get();
}

static int packaged() {
  std::packaged_task<int()> task([] { return 8; });
  auto result = task.get_future();
  std::thread worker([&task] { task.make_ready_at_thread_exit(); });
  int value = result.get();
  worker.join();
  return value;
}

static int notified() {
  std::mutex lock;
  std::condition_variable changed;
  int value = 0;
  std::thread worker([&] {
    std::unique_lock<std::mutex> hold(lock);
    value = 9;
    std::notify_all_at_thread_exit(changed, std::move(hold));
  });
  {
    std::unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [&] { return value != 0; });
  }
  worker.join();
  return value;
}

int main() {
  assert(promised() == 7);
  assert(packaged() == 8);
  assert(notified() == 9);
}
