// SPDX-License-Identifier: Apache-2.0
// Events in loops by their occurrence, starts and ends of threads, && and ||: the order of the log
// is one that the schedule leaves.
// SCHEDULES: 100
// UNCONTROLLED: skip
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

#include "raddle/event.h"

std::atomic<int> next;
char events_seen[16];

void log(char what) { events_seen[next++] = what; }

int main() {
  raddle::ScheduleScope schedule("alternating",
                                 "put#1 -> take#1, take#1 -> put#2, put#2 -> take#2,\n"
                                 "take#2 -> put#3@producer  // the last one\n"
                                 "put#3 -> take#3@consumer\n"
                                 "end@producer && (end@consumer || never) -> closing\n"
                                 "closed -> start@late");
  std::thread producer([] {
    raddle::name_thread("producer");
    for (int i = 0; i < 3; ++i) {
      RADDLE_EVENT("put");
      log('p');
    }
  });
  std::thread consumer([] {
    raddle::name_thread("consumer");
    for (int i = 0; i < 3; ++i) {
      RADDLE_EVENT("take");
      log('t');
    }
  });
  std::thread late([] {
    raddle::name_thread("late");
    log('l');
  });
  RADDLE_EVENT("closing");
  log('c');
  RADDLE_EVENT("closed");
  producer.join();
  consumer.join();
  late.join();
  std::string seen(events_seen, next);
  // What comes between an event and the next may be overtaken: the middle is not fixed.
  assert(seen.find('c') == 6);
  assert(seen.find('l') == 7);
}
