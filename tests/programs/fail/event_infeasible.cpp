// SPDX-License-Identifier: Apache-2.0
// Bug: the schedule wants both items added before the first is taken, but there is room for one.
// SCHEDULES: 50
// EXPECT: kind=schedule-deadlock within=5 message~"`finishedAdd2 -> startingTake1`, but"
#include <condition_variable>
#include <mutex>
#include <thread>

#include "raddle/event.h"

std::mutex guard;
std::condition_variable changed;
int items;

void add() {
  std::unique_lock<std::mutex> lock(guard);
  changed.wait(lock, [] { return items == 0; });
  ++items;
  changed.notify_one();
}

void take() {
  std::unique_lock<std::mutex> lock(guard);
  changed.wait(lock, [] { return items == 1; });
  --items;
  changed.notify_one();
}

int main() {
  raddle::ScheduleScope schedule("two at once", "finishedAdd2 -> startingTake1");
  std::thread producer([] {
    add();
    RADDLE_EVENT("finishedAdd1");
    add();
    RADDLE_EVENT("finishedAdd2");
  });
  RADDLE_EVENT("startingTake1");
  take();
  RADDLE_EVENT("startingTake2");
  take();
  producer.join();
}
