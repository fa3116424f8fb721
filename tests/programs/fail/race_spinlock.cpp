// SPDX-License-Identifier: Apache-2.0
// Bug: the spinlock is given back with a relaxed store.
// EXPECT: kind=data-race within=100 message~"on `protected_value`"
#include <atomic>
#include <thread>

namespace {

std::atomic_flag busy = ATOMIC_FLAG_INIT;
int protected_value = 0;

void work() {
  while (busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  ++protected_value;
  busy.clear(std::memory_order_relaxed);
}

}  // namespace

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return protected_value != 2;
}
