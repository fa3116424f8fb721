// SPDX-License-Identifier: Apache-2.0
// Bug: a timed lock that ran out of time is treated as taken, and an update is lost.
// EXPECT: kind=assertion within=100 message~"total == 2" function=main
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

std::timed_mutex guard;
std::atomic<int> total{0};

void quick() {
  const bool owned = guard.try_lock_for(10ms);
  total.store(total.load() + 1);
  if (owned) guard.unlock();
}

void slow() {
  std::lock_guard lock(guard);
  const int seen = total.load();
  std::this_thread::sleep_for(50ms);
  total.store(seen + 1);
}

}  // namespace

int main() {
  std::thread first(quick);
  std::thread second(slow);
  first.join();
  second.join();
  assert(total == 2);
}
