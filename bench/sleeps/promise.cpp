// SPDX-License-Identifier: Apache-2.0
//
// A future: who asks early waits, who asks late does not, both get the value.
// A test of bench/sleeps.
#include <future>

#include "sleeps.h"

SCHEDULE("[askingEarly] -> fulfilling, fulfilled -> askingLate")

void test() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::atomic<bool> early_has_it{false};
  std::thread early([&] {
    RADDLE_EVENT("askingEarly");
    CHECK(future.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
    CHECK(future.get() == 42);
    early_has_it = true;
  });
  std::thread late([&] {
    SLEEP(25);  // it is there
    RADDLE_EVENT("askingLate");
    CHECK(future.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
    CHECK(future.get() == 42);
  });
  SLEEP(10);  // the early one waits
  RADDLE_EVENT("fulfilling");
  CHECK(!early_has_it);
  promise.set_value(42);
  RADDLE_EVENT("fulfilled");
  early.join();
  late.join();
}
