// SPDX-License-Identifier: Apache-2.0
// Fixed: the data are atomics, ordered by fences (Boehm 2012).
// SCHEDULES: 500
#include <atomic>
#include <thread>

namespace {

std::atomic<unsigned> sequence{0};
std::atomic<int> left = 0, right = 0;

void first() {
  sequence.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  left.store(5, std::memory_order_relaxed);
  right.store(5, std::memory_order_relaxed);
  sequence.store(2, std::memory_order_release);
}

void second() {
  unsigned before = sequence.load(std::memory_order_acquire);
  int l = left.load(std::memory_order_relaxed);
  int r = right.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  unsigned after = sequence.load(std::memory_order_relaxed);
  if (before == after && before % 2 == 0 && l != r) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return 0;
}
