// SPDX-License-Identifier: Apache-2.0
// A Treiber stack of slots; a tag beside the index of the top keeps a reused slot apart (ABA).
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

struct alignas(8) Top {
  std::uint32_t index;
  std::uint32_t tag;
};
constexpr std::uint32_t kNone = 99;
struct Slot {
  std::atomic<std::uint32_t> next{kNone};
  int value = 0;
};
std::array<Slot, 3> slots;
std::atomic<Top> top{Top{kNone, 0}};
std::atomic<int> held{0};

void push(std::uint32_t index) {
  Top seen = top.load(std::memory_order_relaxed);
  do {
    slots[index].next.store(seen.index, std::memory_order_relaxed);
  } while (!top.compare_exchange_weak(seen, Top{index, seen.tag + 1}, std::memory_order_release,
                                      std::memory_order_relaxed));
}

std::uint32_t pop() {
  Top seen = top.load(std::memory_order_acquire);
  while (seen.index != kNone) {
    std::uint32_t next = slots[seen.index].next.load(std::memory_order_relaxed);
    if (top.compare_exchange_weak(seen, Top{next, seen.tag + 1}, std::memory_order_acquire,
                                  std::memory_order_acquire))
      break;
  }
  return seen.index;
}

void work(int amount) {
  for (int i = 0; i < 2; ++i) {
    std::uint32_t mine = pop();
    if (mine == kNone) continue;
    assert(held.fetch_add(1) < 3);
    slots[mine].value += amount;  // nobody else holds this slot
    held.fetch_sub(1);
    push(mine);
  }
}

}  // namespace

int main() {
  for (std::uint32_t i = 0; i < slots.size(); ++i) push(i);
  std::thread first(work, 1);
  std::thread second(work, 10);
  work(100);
  first.join();
  second.join();
  int sum = 0;
  for (auto& slot : slots) sum += slot.value;
  assert(sum == 222);
  assert(pop() != kNone && pop() != kNone && pop() != kNone && pop() == kNone);
  return 0;
}
