// SPDX-License-Identifier: Apache-2.0
//
// A list that is copied on writing: an iteration goes over the list as it was when it began,
// whatever is added meanwhile. A test of bench/sleeps.
#include <memory>
#include <mutex>
#include <vector>

#include "sleeps.h"

class CopyOnWriteList {
 public:
  void add(int value) {
    std::lock_guard lock(mutex_);
    auto copy = std::make_shared<std::vector<int>>(*values_);
    copy->push_back(value);
    values_ = std::move(copy);
  }
  std::shared_ptr<const std::vector<int>> snapshot() {
    std::lock_guard lock(mutex_);
    return values_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const std::vector<int>> values_ = std::make_shared<std::vector<int>>();
};

SCHEDULE("visiting#1 -> adding, added -> visiting#2, added -> looking")

void test() {
  CopyOnWriteList list;
  list.add(1);
  list.add(2);
  std::atomic<int> visited{0};
  std::thread iterator([&] {
    const auto snapshot = list.snapshot();
    for (const int value : *snapshot) {
      RADDLE_EVENT("visiting");
      visited += value;
      SLEEP(10);  // something is added
    }
  });
  std::thread writer([&] {
    SLEEP(5);  // the iteration has begun
    RADDLE_EVENT("adding");
    list.add(4);
    RADDLE_EVENT("added");
  });
  SLEEP(15);
  RADDLE_EVENT("looking");
  CHECK(list.snapshot()->size() == 3);
  iterator.join();
  writer.join();
  CHECK(visited == 3);
}
