// SPDX-License-Identifier: Apache-2.0
// A ring for one producer and one consumer, each with a copy of the other's index that it renews
// only when it must; acquire and release, nothing stronger.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>

namespace {

constexpr std::size_t kSize = 2;
std::array<std::unique_ptr<int>, kSize> ring;
alignas(64) std::atomic<std::size_t> written{0};
alignas(64) std::atomic<std::size_t> taken{0};

void produce() {
  std::size_t known_taken = 0;
  for (std::size_t at = 0; at < 5; ++at) {
    while (at - known_taken == kSize) {
      known_taken = taken.load(std::memory_order_acquire);
      if (at - known_taken == kSize) std::this_thread::yield();
    }
    ring[at % kSize] = std::make_unique<int>(static_cast<int>(at));
    written.store(at + 1, std::memory_order_release);
  }
}

}  // namespace

int main() {
  std::thread producer(produce);
  std::size_t known_written = 0;
  for (std::size_t at = 0; at < 5; ++at) {
    while (at == known_written) known_written = written.load(std::memory_order_acquire);
    std::unique_ptr<int> value = std::move(ring[at % kSize]);
    assert(*value == static_cast<int>(at));
    taken.store(at + 1, std::memory_order_release);
  }
  producer.join();
  assert(written.load() == 5 && !ring[0] && !ring[1]);
  return 0;
}
