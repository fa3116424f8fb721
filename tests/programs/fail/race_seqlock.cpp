// SPDX-License-Identifier: Apache-2.0
// Bug: the data of the sequence lock are plain variables.
// EXPECT: kind=data-race within=100 message~"on `left`|on `right`"
#include <atomic>
#include <thread>

namespace {

std::atomic<unsigned> sequence{0};
int left = 0, right = 0;

void first() {
  sequence.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  left = 5;
  right = 5;
  sequence.store(2, std::memory_order_release);
}

void second() {
  unsigned before = sequence.load(std::memory_order_acquire);
  int l = left;
  int r = right;
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
