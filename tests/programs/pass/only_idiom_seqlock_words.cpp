// SPDX-License-Identifier: Apache-2.0
// A seqlock whose data are relaxed atomics between fences, with two writers that take turns by the
// lowest bit of the sequence.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<unsigned> sequence{0};
std::array<std::atomic<int>, 3> words{};

void write(int value) {
  unsigned seen = sequence.load(std::memory_order_relaxed);
  while ((seen & 1) != 0 ||
         !sequence.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) {
    __builtin_ia32_pause();
    seen = sequence.load(std::memory_order_relaxed);
  }
  std::atomic_thread_fence(std::memory_order_release);
  for (auto& word : words) word.store(value, std::memory_order_relaxed);
  sequence.store(seen + 2, std::memory_order_release);
}

std::array<int, 3> read() {
  while (true) {
    unsigned before = sequence.load(std::memory_order_acquire);
    std::array<int, 3> copy{};
    for (int i = 0; i < 3; ++i) copy[i] = words[i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if ((before & 1) == 0 && sequence.load(std::memory_order_relaxed) == before) return copy;
  }
}

}  // namespace

int main() {
  std::thread first([] { write(1); });
  std::thread second([] { write(2); });
  for (int i = 0; i < 2; ++i) {
    auto copy = read();
    assert(copy[0] == copy[1] && copy[1] == copy[2]);
  }
  first.join();
  second.join();
  assert(sequence.load() == 4 && read()[0] != 0);
  return 0;
}
