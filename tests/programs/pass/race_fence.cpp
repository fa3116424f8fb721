// SPDX-License-Identifier: Apache-2.0
// Fixed: fences on both sides order the data.
// SCHEDULES: 500
#include <atomic>
#include <thread>

namespace {

std::atomic<int> sent{0};
int payload = 0;

void first() {
  payload = 9;
  std::atomic_thread_fence(std::memory_order_release);
  sent.store(1, std::memory_order_relaxed);
}

void second() {
  if (sent.load(std::memory_order_relaxed) == 0) return;
  std::atomic_thread_fence(std::memory_order_acquire);
  if (payload != 9) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return 0;
}
