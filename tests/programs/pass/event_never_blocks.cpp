// SPDX-License-Identifier: Apache-2.0
// The consumer waits for the second item: it is blocked when the producer adds it.
// SCHEDULES: 50
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
  std::unique_lock<std::mutex> lock(guard);
  not_empty.wait(lock, [] { return items > 0; });
  --items;
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
