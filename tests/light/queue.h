// SPDX-License-Identifier: Apache-2.0
//
// The bounded queue of the running example, and its test: schedules decide whether the second take
// has to wait. Own program, see harness.h.
#pragma once

#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

#include "raddle/event.h"

namespace raddle::light_tests {

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
    return pop();
  }

  // As take(), but by asking again and again.
  int take_spinning() {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!values_.empty()) return pop();
    }
  }

  int takes_that_waited() const { return takes_that_waited_; }

 private:
  int pop() {
    const int value = values_.front();
    values_.pop();
    changed_.notify_all();
    return value;
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<int> values_;
  int takes_that_waited_ = 0;
};

inline constexpr const char* kTakeWaits =
    "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2";
inline constexpr const char* kTakeFinds =
    "finishedAdd1 -> startingTake1, finishedAdd2 -> startingTake2";

// How many takes had to wait; -1 if a wrong value came out.
inline int add_and_take_twice(bool spinning = false) {
  BoundedQueue queue(1);
  std::thread adder([&] {
    raddle::name_thread("adder");
    queue.add(1);
    RADDLE_EVENT("finishedAdd1");
    RADDLE_EVENT("startingAdd2");
    queue.add(2);
    RADDLE_EVENT("finishedAdd2");
  });
  const auto take = [&] { return spinning ? queue.take_spinning() : queue.take(); };
  RADDLE_EVENT("startingTake1");
  const int first = take();
  RADDLE_EVENT("startingTake2");
  const int second = take();
  adder.join();
  return first == 1 && second == 2 ? queue.takes_that_waited() : -1;
}

}  // namespace raddle::light_tests
