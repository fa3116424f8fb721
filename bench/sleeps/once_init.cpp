// SPDX-License-Identifier: Apache-2.0
//
// A resource that is opened on first use: who asks while it is being opened waits for it and does
// not open it again. A test of bench/sleeps.
#include <mutex>

#include "sleeps.h"

class Lazy {
 public:
  template <class Open>
  int get(Open open) {
    ++asked_;
    std::call_once(once_, [&] {
      value_ = open();
      asked_while_opening_ = asked_;
    });
    return value_;
  }
  int asked_while_opening() const { return asked_while_opening_; }

 private:
  std::once_flag once_;
  std::atomic<int> asked_{0};
  int asked_while_opening_ = 0;
  int value_ = 0;
};

SCHEDULE("opening -> getting2, [getting2] -> opened")

void test() {
  Lazy resource;
  std::atomic<int> opened{0};
  const auto open = [&] {
    RADDLE_EVENT("opening");
    SLEEP(30);  // the second user comes
    RADDLE_EVENT("opened");
    return ++opened;
  };
  std::thread first([&] { CHECK(resource.get(open) == 1); });
  std::thread second([&] {
    SLEEP(10);  // it is being opened
    RADDLE_EVENT("getting2");
    CHECK(resource.get([&] { return 10 + ++opened; }) == 1);
  });
  first.join();
  second.join();
  CHECK(opened == 1);
  CHECK(resource.asked_while_opening() == 2);
}
