// SPDX-License-Identifier: Apache-2.0
//
// A gate: opening it lets all pass who wait, closing it again stops those who come later.
// A test of bench/sleeps.
#include <condition_variable>
#include <mutex>

#include "sleeps.h"

class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    const int generation = generation_;
    ++waiting_;
    opened_.wait(lock, [&] { return generation != generation_; });
    --waiting_;
  }
  // Lets all pass who wait now; how many these are.
  int open_once() {
    std::lock_guard lock(mutex_);
    ++generation_;
    opened_.notify_all();
    return waiting_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  int waiting_ = 0;
  int generation_ = 0;
};

SCHEDULE(
    "[passing1] && [passing2] && [passing3] -> opening, opened -> passing4,"
    "passed1 && passed2 && passed3 && [passing4] -> looking, passed4 -> lookingLast")

void test() {
  Gate gate;
  std::atomic<int> passed{0};
  [[maybe_unused]] const char* const passing[] = {"passing1", "passing2", "passing3", "passing4"};
  [[maybe_unused]] const char* const done[] = {"passed1", "passed2", "passed3", "passed4"};
  const auto visit = [&]([[maybe_unused]] int index) {
    RADDLE_EVENT(passing[index]);
    gate.pass();
    ++passed;
    RADDLE_EVENT(done[index]);
  };
  std::thread first(visit, 0);
  std::thread second(visit, 1);
  std::thread third(visit, 2);
  std::thread late([&] {
    SLEEP(20);  // the gate has been opened and closed
    visit(3);
  });
  SLEEP(10);  // three are waiting
  RADDLE_EVENT("opening");
  CHECK(gate.open_once() == 3);
  RADDLE_EVENT("opened");
  SLEEP(20);
  RADDLE_EVENT("looking");
  CHECK(passed == 3);
  int opened = gate.open_once();
  CHECK(opened == 1);
  SLEEP(10);
  RADDLE_EVENT("lookingLast");
  CHECK(passed == 4);
  while (passed < 4) gate.open_once();  // somebody came too late: let the test end
  first.join();
  second.join();
  third.join();
  late.join();
}
