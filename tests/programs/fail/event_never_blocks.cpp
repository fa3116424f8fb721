// SPDX-License-Identifier: Apache-2.0
// Bug: the consumer polls for the second item instead of waiting, so it is never blocked when the
// producer wants to add it.
// TEST: --max-steps 3000
// SCHEDULES: 50
// EXPECT: kind=livelock within=50 message~"T1 producer is paused.* T0 main.* is not blocked"
#include <condition_variable>
#include <mutex>
#include <thread>

#include "raddle/event.h"

std::mutex guard;
std::condition_variable not_empty;
int items;

void add() {
  std::lock_guard<std::mutex> lock(guard);
  ++items;
  not_empty.notify_one();
}

void take() {
  for (;;) {
    std::lock_guard<std::mutex> lock(guard);
    if (items > 0) {
      --items;
      return;
    }
  }
}

int main() {
  raddle::ScheduleScope schedule("blocked take", "[startingTake2] -> startingAdd2");
  std::thread producer([] {
    raddle::name_thread("producer");
    add();
    RADDLE_EVENT("startingAdd2");
    add();
  });
  take();
  RADDLE_EVENT("startingTake2");
  take();
  producer.join();
}
