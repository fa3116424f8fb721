// SPDX-License-Identifier: Apache-2.0
// Timed locks: a loop of try_lock_for gets the lock in the end, a failed try leaves nothing behind.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;
std::timed_mutex guard;
std::shared_timed_mutex table;
int value = 0;
std::atomic<int> misses{0};

void work() {
  for (int i = 0; i < 2; ++i) {
    std::unique_lock lock(guard, std::defer_lock);
    while (!lock.try_lock_for(1ms)) misses.fetch_add(1);
    std::unique_lock write(table, 1ms);
    if (!write) write.lock();
    ++value;
    lock.unlock();
    std::this_thread::sleep_for(2ms);
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  int seen = 0;
  for (int tries = 0; tries < 3; ++tries) {
    std::shared_lock read(table, std::chrono::steady_clock::now() + 1ms);
    if (!read) continue;
    assert(value >= seen);
    seen = value;
  }
  first.join();
  second.join();
  assert(value == 4 && misses.load() >= 0);
  return 0;
}
