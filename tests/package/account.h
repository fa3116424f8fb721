// SPDX-License-Identifier: Apache-2.0
//
// The product of the sample project: an account that can be overdrawn, because one of its functions
// looks first and takes later.
#pragma once

#include <mutex>

class Account {
 public:
  explicit Account(int amount) : amount_(amount) {}

  int amount();
  bool withdraw(int amount);             // correct
  bool withdraw_carelessly(int amount);  // another thread may come between look and take

 private:
  std::mutex lock_;
  int amount_;
};
