// SPDX-License-Identifier: Apache-2.0
//
// A pool with one connection: the second borrower waits until the first gives it back, and gets
// that very connection. A test of bench/sleeps.
#include <condition_variable>
#include <mutex>
#include <vector>

#include "sleeps.h"

class ConnectionPool {
 public:
  explicit ConnectionPool(int connections) {
    for (int id = 1; id <= connections; ++id) idle_.push_back(id);
  }

  int borrow() {
    std::unique_lock lock(mutex_);
    if (idle_.empty()) {
      ++waits_;
      returned_.wait(lock, [&] { return !idle_.empty(); });
    }
    const int connection = idle_.back();
    idle_.pop_back();
    return connection;
  }
  void give_back(int connection) {
    {
      std::lock_guard lock(mutex_);
      idle_.push_back(connection);
    }
    returned_.notify_one();
  }
  int waits() {
    std::lock_guard lock(mutex_);
    return waits_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<int> idle_;
  int waits_ = 0;
};

SCHEDULE("borrowed1 -> borrowing2, [borrowing2] -> returning1")

void test() {
  ConnectionPool pool(1);
  int second_got = 0;
  std::thread first([&] {
    const int connection = pool.borrow();
    RADDLE_EVENT("borrowed1");
    SLEEP(30);  // the second borrower waits
    RADDLE_EVENT("returning1");
    pool.give_back(connection);
  });
  std::thread second([&] {
    SLEEP(10);  // the first has it
    RADDLE_EVENT("borrowing2");
    second_got = pool.borrow();
    pool.give_back(second_got);
  });
  first.join();
  second.join();
  CHECK(second_got == 1);
  CHECK(pool.waits() == 1);
}
