// SPDX-License-Identifier: Apache-2.0
// Two threads take two locks in the same order. A third thread is kept back by the schedule until
// they are done.
// SCHEDULES: 50
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
    std::lock_guard<std::mutex> one(a);
    std::lock_guard<std::mutex> two(b);
  });
  first.join();
  second.join();
  reporter.join();
}
