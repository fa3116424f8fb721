// SPDX-License-Identifier: Apache-2.0
//
// A queue that is asked with a time limit: nothing comes, the caller goes away empty-handed; what
// comes while it waits, it gets at once. A test of bench/sleeps.
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>

#include "sleeps.h"

class DeadlineQueue {
 public:
  void put(int value) {
    std::lock_guard lock(mutex_);
    values_.push(value);
    changed_.notify_one();
  }
  std::optional<int> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (values_.empty()) ++waits_;
    if (!changed_.wait_for(lock, patience, [&] { return !values_.empty(); })) return std::nullopt;
    const int value = values_.front();
    values_.pop();
    return value;
  }
  int waits() const { return waits_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<int> values_;
  int waits_ = 0;
};

SCHEDULE("gaveUp -> putting1, put1 -> taking2, [taking3] -> putting2")

void test() {
  using std::chrono::milliseconds;
  DeadlineQueue queue;
  std::thread taker([&] {
    CHECK(queue.take(milliseconds(2)) == std::nullopt);
    RADDLE_EVENT("gaveUp");
    SLEEP(15);  // something is put in
    RADDLE_EVENT("taking2");
    CHECK(queue.take(milliseconds(2)) == 1);
    RADDLE_EVENT("taking3");
    CHECK(queue.take(milliseconds(1000)) == 2);
    CHECK(queue.waits() == 2);
  });
  SLEEP(10);  // it has given up
  RADDLE_EVENT("putting1");
  queue.put(1);
  RADDLE_EVENT("put1");
  SLEEP(15);  // it waits for the second one
  RADDLE_EVENT("putting2");
  queue.put(2);
  taker.join();
}
