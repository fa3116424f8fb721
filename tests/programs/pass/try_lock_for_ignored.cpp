// SPDX-License-Identifier: Apache-2.0
// Fixed: the timed lock is tried again until it is taken.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

std::timed_mutex guard;
int total = 0;

void quick() {
  while (!guard.try_lock_for(10ms)) {
  }
  total = total + 1;
  guard.unlock();
}

void slow() {
  std::lock_guard lock(guard);
  const int seen = total;
  std::this_thread::sleep_for(50ms);
  total = seen + 1;
}

}  // namespace

int main() {
  std::thread first(quick);
  std::thread second(slow);
  first.join();
  second.join();
  assert(total == 2);
}
