// SPDX-License-Identifier: Apache-2.0
// Fixed: the head carries a tag that changes with every exchange, so a recycled index is noticed.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

constexpr std::uint32_t kNone = 0xffffffff;
std::atomic<std::uint64_t> head{0};  // tag in the upper half, index in the lower
std::atomic<std::uint32_t> next[3] = {1, 2, kNone};
std::atomic<bool> owned[3];

std::uint32_t index_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint64_t retagged(std::uint64_t old, std::uint32_t index) {
  return (((old >> 32) + 1) << 32) | index;
}

std::uint32_t pop() {
  std::uint64_t top = head.load();
  while (index_of(top) != kNone &&
         !head.compare_exchange_strong(top, retagged(top, next[index_of(top)].load()))) {
  }
  const std::uint32_t index = index_of(top);
  if (index != kNone) assert(!owned[index].exchange(true));
  return index;
}

void push(std::uint32_t index) {
  owned[index].store(false);
  std::uint64_t top = head.load();
  do {
    next[index].store(index_of(top));
  } while (!head.compare_exchange_strong(top, retagged(top, index)));
}

void pop_two() {
  pop();
  pop();
}

void recycle() {
  const std::uint32_t first = pop();
  pop();
  if (first != kNone) push(first);
}

}  // namespace

int main() {
  std::thread one(pop_two);
  std::thread two(recycle);
  one.join();
  two.join();
}
