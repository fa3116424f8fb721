// SPDX-License-Identifier: Apache-2.0
// moodycamel::BlockingConcurrentQueue used as it is meant to be, in the program under test: what
// two producers put in, two consumers that wait take out, and nobody waits for ever.
#include <concurrentqueue/blockingconcurrentqueue.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr int kEach = 3;

moodycamel::BlockingConcurrentQueue<int> queue;
std::atomic<int> sum{0};

void produce(int first) {
  for (int i = 0; i < kEach; ++i) queue.enqueue(first + i);
}

void consume() {
  for (int i = 0; i < kEach; ++i) {
    int value = 0;
    queue.wait_dequeue(value);
    sum += value;
  }
}

}  // namespace

int main() {
  std::thread a(produce, 1), b(produce, 1 + kEach), c(consume), d(consume);
  a.join();
  b.join();
  c.join();
  d.join();
  assert(sum == kEach * (2 * kEach + 1));
  assert(queue.size_approx() == 0);
}
