// SPDX-License-Identifier: Apache-2.0
// The misuse of moodycamel::ReaderWriterQueue, in the program under test: it allows one producer,
// and here there are two. Their elements overwrite each other, and the queue's own fields race.
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <thread>

namespace {

constexpr int kEach = 2;

moodycamel::ReaderWriterQueue<int> queue(8);

void produce(int first) {
  for (int i = 0; i < kEach; ++i) queue.enqueue(first + i);
}

}  // namespace

int main() {
  std::thread a(produce, 0), b(produce, 100);
  a.join();
  b.join();
  int count = 0;
  for (int value; queue.try_dequeue(value);) ++count;
  assert(count == 2 * kEach);
}
