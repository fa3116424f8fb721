// SPDX-License-Identifier: Apache-2.0
// Bug: two threads take two locks in opposite orders. A third thread is kept back by the schedule
// until they are done, but the deadlock is the program's own.
// SCHEDULES: 50
// EXPECT: kind=deadlock within=50 message~"waits for `[ab]`.*held by"
#include <mutex>
#include <thread>

#include "raddle/event.h"

std::mutex a;
std::mutex b;

int main() {
  raddle::ScheduleScope schedule("last", "end@first && end@second -> reporting");
  std::thread reporter([] { RADDLE_EVENT("reporting"); });
  std::thread first([] {
    raddle::name_thread("first");
    std::lock_guard<std::mutex> one(a);
    std::lock_guard<std::mutex> two(b);
  });
  std::thread second([] {
    raddle::name_thread("second");
    std::lock_guard<std::mutex> one(b);
    std::lock_guard<std::mutex> two(a);
  });
  first.join();
  second.join();
  reporter.join();
}
