// SPDX-License-Identifier: Apache-2.0
// A bounded queue of one place under two schedules: the consumer finds an item each time, or is
// blocked in the second take before the second add begins.
// SCHEDULES: 100
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "raddle/event.h"

class Queue {
 public:
  void add(int item) {
    std::unique_lock<std::mutex> lock(guard_);
    changed_.wait(lock, [this] { return !full_; });
    item_ = item;
    full_ = true;
    changed_.notify_all();
  }
  int take() {
    std::unique_lock<std::mutex> lock(guard_);
    while (!full_) {
      waited = true;
      changed_.wait(lock);
    }
    full_ = false;
    changed_.notify_all();
    return item_;
  }
  bool waited = false;

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool full_ = false;
  int item_ = 0;
};

void run(const char* name, const char* text) {
  raddle::ScheduleScope schedule(name, text);
  // Started without raddle, no schedule is in force.
  bool enforced = std::strcmp(raddle::current_schedule(), name) == 0;
  Queue queue;
  std::thread adder([&] {
    queue.add(1);
    RADDLE_EVENT("finishedAdd1");
    RADDLE_EVENT("startingAdd2");
    queue.add(2);
    RADDLE_EVENT("finishedAdd2");
  });
  RADDLE_EVENT("startingTake1");
  assert(queue.take() == 1);
  assert(!enforced || !queue.waited);
  RADDLE_EVENT("startingTake2");
  assert(queue.take() == 2);
  assert(!enforced || queue.waited == (std::strcmp(name, "blocked") == 0));
  adder.join();
}

int main() {
  run("blocked", "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2");
  run("ready", "finishedAdd1 -> startingTake1, finishedAdd2 -> startingTake2");
}
