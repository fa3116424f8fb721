// SPDX-License-Identifier: Apache-2.0
// An eventcount: a lock-free queue whose consumers announce that they will sleep, look once more,
// and sleep only if nothing has happened since.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

class EventCount {
 public:
  unsigned prepare() {
    waiters_.fetch_add(1);
    return epoch_.load();
  }
  void cancel() { waiters_.fetch_sub(1); }
  void wait(unsigned key) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return epoch_.load() != key; });
    waiters_.fetch_sub(1);
  }
  void notify() {
    epoch_.fetch_add(1);
    if (waiters_.load() == 0) return;
    { std::lock_guard lock(mutex_); }
    changed_.notify_all();
  }

 private:
  std::atomic<unsigned> epoch_{0};
  std::atomic<int> waiters_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
};

EventCount event;
std::array<std::atomic<int>, 4> cells{};

int try_take() {
  for (auto& cell : cells)
    if (int value = cell.exchange(0)) return value;
  return 0;
}

int take() {
  while (true) {
    if (int value = try_take()) return value;
    unsigned key = event.prepare();
    if (int value = try_take()) {
      event.cancel();
      return value;
    }
    event.wait(key);
  }
}

}  // namespace

int main() {
  std::atomic<int> sum{0};
  std::thread first([&] { sum += take() + take(); });
  std::thread second([&] { sum += take() + take(); });
  for (int i = 0; i < 4; ++i) {
    cells[i].store(1 << i);
    event.notify();
  }
  first.join();
  second.join();
  assert(sum.load() == 15 && try_take() == 0);
  return 0;
}
