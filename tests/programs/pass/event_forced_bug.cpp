// SPDX-License-Identifier: Apache-2.0
// The balance is changed in one step: the order that lost an update is no longer possible, and any
// that is will do.
// SCHEDULES: 50
#include <atomic>
#include <cassert>
#include <thread>

#include "raddle/event.h"

std::atomic<int> balance;

void deposit(const char* name) {
  raddle::name_thread(name);
  RADDLE_EVENT("adding");
  balance += 1;
  RADDLE_EVENT("added");
}

int main() {
  raddle::ScheduleScope schedule("both at once", "adding@a && adding@b -> added");
  std::thread a(deposit, "a");
  std::thread b(deposit, "b");
  a.join();
  b.join();
  assert(balance == 2);
}
