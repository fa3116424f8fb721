// SPDX-License-Identifier: Apache-2.0
// Test and test-and-set with `pause`, and a switch to yield after some turns.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class SpinLock {
 public:
  void lock() {
    for (int turns = 0; flag_.exchange(true, std::memory_order_acquire); ++turns) {
      while (flag_.load(std::memory_order_relaxed)) {
        if (++turns < 8)
          __builtin_ia32_pause();
        else
          std::this_thread::yield();
      }
    }
  }
  bool try_lock() {
    return !flag_.load(std::memory_order_relaxed) &&
           !flag_.exchange(true, std::memory_order_acquire);
  }
  void unlock() { flag_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> flag_{false};
};

SpinLock guard;
int done = 0;
int skipped = 0;

void work() {
  for (int i = 0; i < 3; ++i) {
    std::unique_lock lock(guard, std::try_to_lock);
    bool missed = !lock.owns_lock();
    if (missed) lock.lock();
    ++done;
    skipped += missed ? 1 : 0;
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(done == 9 && skipped < 9);
  return 0;
}
