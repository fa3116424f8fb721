// SPDX-License-Identifier: Apache-2.0
// boost::lockfree::spsc_queue used as it is meant to be, in the program under test: one producer,
// one consumer, a ring that wraps around several times.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

namespace {

constexpr int kCount = 8;

boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> ring;

void produce() {
  for (int i = 0; i < kCount; ++i) {
    while (!ring.push(i)) std::this_thread::yield();
  }
}

}  // namespace

int main() {
  std::thread producer(produce);
  for (int next = 0; next < kCount;) {
    int value = -1;
    if (!ring.pop(value)) {
      std::this_thread::yield();
      continue;
    }
    assert(value == next);
    ++next;
  }
  producer.join();
  assert(ring.empty());
}
