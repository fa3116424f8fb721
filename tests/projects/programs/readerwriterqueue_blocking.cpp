// SPDX-License-Identifier: Apache-2.0
// moodycamel's BlockingReaderWriterQueue and BlockingReaderWriterCircularBuffer used as they are
// meant to be, in the program under test: one waits for elements, the other also for room.
#include <readerwriterqueue/readerwritercircularbuffer.h>
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <thread>

namespace {

constexpr int kCount = 6;

moodycamel::BlockingReaderWriterQueue<int> requests(2);
moodycamel::BlockingReaderWriterCircularBuffer<int> answers(2);

void square() {
  for (int i = 0; i < kCount; ++i) {
    int value = 0;
    requests.wait_dequeue(value);
    answers.wait_enqueue(value * value);
  }
}

}  // namespace

int main() {
  std::thread worker(square);
  for (int i = 0; i < kCount; ++i) requests.enqueue(i);
  for (int i = 0; i < kCount; ++i) {
    int value = -1;
    answers.wait_dequeue(value);
    assert(value == i * i);
  }
  worker.join();
}
