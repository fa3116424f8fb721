// SPDX-License-Identifier: Apache-2.0
//
// A lock that is asked for with a time limit: held, it is refused when the time is up; free again,
// it is given. A test of bench/sleeps.
#include <mutex>

#include "sleeps.h"

class Account {
 public:
  template <class Change>
  void change(Change change) {
    std::lock_guard lock(mutex_);
    change(balance_);
  }
  bool withdraw(int amount, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_, patience);
    if (!lock) return false;
    balance_ -= amount;
    return true;
  }

 private:
  std::timed_mutex mutex_;
  int balance_ = 100;
};

SCHEDULE("changing -> withdrawing1, refused -> changed, end@auditor -> withdrawing2")

void test() {
  Account account;
  std::thread auditor([&] {
    raddle::name_thread("auditor");
    account.change([](int& balance) {
      RADDLE_EVENT("changing");
      SLEEP(20);  // a withdrawal is refused meanwhile
      RADDLE_EVENT("changed");
      balance += 1;
    });
  });
  SLEEP(10);  // the account is locked
  RADDLE_EVENT("withdrawing1");
  CHECK(!account.withdraw(10, std::chrono::milliseconds(2)));
  RADDLE_EVENT("refused");
  SLEEP(20);  // it is free again
  RADDLE_EVENT("withdrawing2");
  CHECK(account.withdraw(10, std::chrono::milliseconds(2)));
  auditor.join();
}
