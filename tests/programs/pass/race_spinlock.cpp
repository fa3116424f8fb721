// SPDX-License-Identifier: Apache-2.0
// Fixed: the spinlock acquires and releases.
// SCHEDULES: 500
#include <atomic>
#include <thread>

namespace {

std::atomic_flag busy = ATOMIC_FLAG_INIT;
int protected_value = 0;

void work() {
  while (busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  ++protected_value;
  busy.clear(std::memory_order_release);
}

}  // namespace

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return protected_value != 2;
}
