// SPDX-License-Identifier: Apache-2.0
// Timed waits that must not run out of time, and one that must.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <thread>

namespace {

using namespace std::chrono_literals;

std::mutex guard;
std::condition_variable changed;
bool ready = false;
std::binary_semaphore permit{0};

void prepare() {
  std::this_thread::sleep_for(5ms);
  {
    std::lock_guard lock(guard);
    ready = true;
  }
  changed.notify_one();
  permit.release();
}

}  // namespace

int main() {
  std::promise<int> never;
  std::future<int> empty = never.get_future();
  std::thread worker(prepare);
  {
    std::unique_lock lock(guard);
    const bool in_time = changed.wait_for(lock, 10s, [] { return ready; });
    assert(in_time);
  }
  const bool permitted = permit.try_acquire_for(10s);
  assert(permitted);
  assert(empty.wait_for(10ms) == std::future_status::timeout);
  worker.join();
}
