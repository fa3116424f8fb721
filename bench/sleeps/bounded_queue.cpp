// SPDX-License-Identifier: Apache-2.0
//
// A queue of capacity 1: the second take has to wait for the second add, the first one has not.
// A test of bench/sleeps.
#include <condition_variable>
#include <mutex>
#include <queue>

#include "sleeps.h"

class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  void add(int value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return values_.size() < capacity_; });
    values_.push(value);
    changed_.notify_all();
  }

  int take() {
    std::unique_lock lock(mutex_);
    if (values_.empty()) ++takes_that_waited_;
    changed_.wait(lock, [&] { return !values_.empty(); });
    const int value = values_.front();
    values_.pop();
    changed_.notify_all();
    return value;
  }

  int takes_that_waited() const { return takes_that_waited_; }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<int> values_;
  int takes_that_waited_ = 0;
};

SCHEDULE("finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2")

void test() {
  BoundedQueue queue(1);
  std::thread adder([&] {
    queue.add(1);
    RADDLE_EVENT("finishedAdd1");
    SLEEP(10);
    RADDLE_EVENT("startingAdd2");
    queue.add(2);
  });
  SLEEP(5);
  RADDLE_EVENT("startingTake1");
  CHECK(queue.take() == 1);
  CHECK(queue.takes_that_waited() == 0);
  RADDLE_EVENT("startingTake2");
  CHECK(queue.take() == 2);
  CHECK(queue.takes_that_waited() == 1);
  adder.join();
}
