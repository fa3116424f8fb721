// SPDX-License-Identifier: Apache-2.0
// moodycamel::ReaderWriterQueue used as it is meant to be, in the program under test: one producer,
// one consumer, elements that own memory, and a queue that has to grow.
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <memory>
#include <thread>

namespace {

constexpr int kCount = 12;

moodycamel::ReaderWriterQueue<std::unique_ptr<int>, 4> queue(3);

void produce() {
  for (int i = 0; i < kCount; ++i) queue.enqueue(std::make_unique<int>(i));
}

}  // namespace

int main() {
  std::thread producer(produce);
  int next = 0;
  std::unique_ptr<int> value;
  for (int tries = 0; tries < 2 * kCount; ++tries) {
    if (!queue.try_dequeue(value)) continue;
    assert(*value == next);
    ++next;
  }
  producer.join();
  while (queue.try_dequeue(value)) assert(*value == next++);
  assert(next == kCount);
}
