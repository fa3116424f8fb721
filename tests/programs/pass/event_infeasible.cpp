// SPDX-License-Identifier: Apache-2.0
// The schedule wants the first item added before it is taken, and the second before the second.
// SCHEDULES: 50
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
  raddle::ScheduleScope schedule("one by one",
                                 "finishedAdd1 -> startingTake1, finishedAdd2 -> startingTake2");
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
