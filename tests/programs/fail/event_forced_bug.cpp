// SPDX-License-Identifier: Apache-2.0
// Bug: the balance is read and written back in two steps; the schedule forces the one order of the
// two threads that loses an update, so every run shows it.
// SCHEDULES: 50
// EXPECT: kind=assertion within=1 message~"balance == 2"
#include <atomic>
#include <cassert>
#include <thread>

#include "raddle/event.h"

std::atomic<int> balance;

void deposit(const char* name) {
  raddle::name_thread(name);
  int seen = balance;
  RADDLE_EVENT("seen");
  RADDLE_EVENT("writing");
  balance = seen + 1;
}

int main() {
  raddle::ScheduleScope schedule("lost update", "seen@a && seen@b -> writing");
  std::thread a(deposit, "a");
  std::thread b(deposit, "b");
  a.join();
  b.join();
  assert(balance == 2);
}
