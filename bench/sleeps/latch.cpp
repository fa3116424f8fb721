// SPDX-License-Identifier: Apache-2.0
//
// A latch opens for all who wait when the last of those it counts has come, not before.
// A test of bench/sleeps.
#include <latch>

#include "sleeps.h"

SCHEDULE(
    "[waiting1] && [waiting2] -> lookingEarly,"
    "counted1 -> lookingHalf,"
    "passed1 && passed2 -> lookingLate")

void test() {
  std::latch ready(2);
  std::atomic<int> passed{0};
  std::thread waiter1([&] {
    RADDLE_EVENT("waiting1");
    ready.wait();
    ++passed;
    RADDLE_EVENT("passed1");
  });
  std::thread waiter2([&] {
    RADDLE_EVENT("waiting2");
    ready.wait();
    ++passed;
    RADDLE_EVENT("passed2");
  });
  SLEEP(10);
  RADDLE_EVENT("lookingEarly");
  CHECK(passed == 0);
  std::thread service([&] {
    ready.count_down();
    RADDLE_EVENT("counted1");
  });
  SLEEP(10);
  RADDLE_EVENT("lookingHalf");
  CHECK(!ready.try_wait());
  CHECK(passed == 0);
  ready.count_down();
  SLEEP(10);
  RADDLE_EVENT("lookingLate");
  CHECK(passed == 2);
  service.join();
  waiter1.join();
  waiter2.join();
}
