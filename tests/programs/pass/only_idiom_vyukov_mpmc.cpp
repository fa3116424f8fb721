// SPDX-License-Identifier: Apache-2.0
// A bounded queue for many producers and consumers: every cell has a sequence number that says
// whose turn it is (Vyukov).
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Cell {
  std::atomic<unsigned> sequence{0};
  int value = 0;
};
constexpr unsigned kSize = 2;
std::array<Cell, kSize> cells;
std::atomic<unsigned> head{0};
std::atomic<unsigned> tail{0};
std::atomic<int> sum{0};

bool push(int value) {
  unsigned at = tail.load(std::memory_order_relaxed);
  while (true) {
    Cell& cell = cells[at % kSize];
    int distance = static_cast<int>(cell.sequence.load(std::memory_order_acquire) - at);
    if (distance < 0) return false;
    if (distance > 0) {
      at = tail.load(std::memory_order_relaxed);
    } else if (tail.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
      cell.value = value;
      cell.sequence.store(at + 1, std::memory_order_release);
      return true;
    }
  }
}

bool pop(int& value) {
  unsigned at = head.load(std::memory_order_relaxed);
  while (true) {
    Cell& cell = cells[at % kSize];
    int distance = static_cast<int>(cell.sequence.load(std::memory_order_acquire) - (at + 1));
    if (distance < 0) return false;
    if (distance > 0) {
      at = head.load(std::memory_order_relaxed);
    } else if (head.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
      value = cell.value;
      cell.sequence.store(at + kSize, std::memory_order_release);
      return true;
    }
  }
}

void produce(int value) {
  for (int i = 0; i < 2; ++i)
    while (!push(value)) std::this_thread::yield();
}

void consume() {
  int value = 0;
  for (int i = 0; i < 2; ++i) {
    while (!pop(value)) std::this_thread::yield();
    sum.fetch_add(value);
  }
}

}  // namespace

int main() {
  for (unsigned i = 0; i < kSize; ++i) cells[i].sequence.store(i);
  std::thread producers[] = {std::thread(produce, 1), std::thread(produce, 10)};
  std::thread consumers[] = {std::thread(consume), std::thread(consume)};
  for (auto& thread : producers) thread.join();
  for (auto& thread : consumers) thread.join();
  int value = 0;
  assert(sum.load() == 22 && !pop(value));
  return 0;
}
