// SPDX-License-Identifier: Apache-2.0
//
// A deque for work stealing: the owner takes its newest task, a thief the oldest, and an empty
// deque gives nothing. A test of bench/sleeps.
#include <deque>
#include <mutex>
#include <optional>

#include "sleeps.h"

class WorkDeque {
 public:
  void push(int task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(task);
  }
  std::optional<int> pop() {
    std::lock_guard lock(mutex_);
    if (tasks_.empty()) return std::nullopt;
    const int task = tasks_.back();
    tasks_.pop_back();
    return task;
  }
  std::optional<int> steal() {
    std::lock_guard lock(mutex_);
    if (tasks_.empty()) return std::nullopt;
    const int task = tasks_.front();
    tasks_.pop_front();
    return task;
  }

 private:
  std::mutex mutex_;
  std::deque<int> tasks_;
};

SCHEDULE("pushed -> stealing1, stole1 -> popping, popped -> stealing2")

void test() {
  WorkDeque deque;
  std::thread owner([&] {
    deque.push(1);
    deque.push(2);
    RADDLE_EVENT("pushed");
    SLEEP(10);  // the thief takes one
    RADDLE_EVENT("popping");
    CHECK(deque.pop() == 2);
    RADDLE_EVENT("popped");
  });
  std::thread thief([&] {
    SLEEP(5);  // there is something to steal
    RADDLE_EVENT("stealing1");
    CHECK(deque.steal() == 1);
    RADDLE_EVENT("stole1");
    SLEEP(10);  // the owner takes the rest
    RADDLE_EVENT("stealing2");
    CHECK(deque.steal() == std::nullopt);
  });
  owner.join();
  thief.join();
}
