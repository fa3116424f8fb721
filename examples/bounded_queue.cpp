// SPDX-License-Identifier: Apache-2.0
//
// A queue with room for one item, and a test of it that wants two orders of its threads: the
// consumer finds each item ready, or it is already waiting when the second one is added.
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
    changed_.notify_one();
  }

  int take() {
    std::unique_lock<std::mutex> lock(guard_);
    while (!full_) {
      ++waits_;
      changed_.wait(lock);
    }
    full_ = false;
    changed_.notify_one();
    return item_;
  }

  int waits() const { return waits_; }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool full_ = false;
  int item_ = 0;
  int waits_ = 0;
};

Queue queue;

void test_queue() {
  std::thread producer([] {
    raddle::name_thread("producer");
    queue.add(1);
    RADDLE_EVENT("finishedAdd1");
    RADDLE_EVENT("startingAdd2");
    queue.add(2);
    RADDLE_EVENT("finishedAdd2");
  });
  RADDLE_EVENT("startingTake1");
  assert(queue.take() == 1);
  RADDLE_EVENT("startingTake2");
  assert(queue.take() == 2);
  producer.join();
  if (std::strcmp(raddle::current_schedule(), "ready") == 0) assert(queue.waits() == 0);
  if (std::strcmp(raddle::current_schedule(), "waiting") == 0) assert(queue.waits() == 1);
}

int main(int argc, char** argv) {
  const char* schedule = argc > 1 ? argv[1]
                                  : "finishedAdd1 -> startingTake1, "
                                    "[startingTake2] -> startingAdd2";
  raddle::ScheduleScope scope(argc > 2 ? argv[2] : "waiting", schedule);
  test_queue();
}
