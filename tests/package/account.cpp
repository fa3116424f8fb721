// SPDX-License-Identifier: Apache-2.0
//
// See account.h.
#include "account.h"

int Account::amount() {
  std::lock_guard<std::mutex> hold(lock_);
  return amount_;
}

bool Account::withdraw(int amount) {
  std::lock_guard<std::mutex> hold(lock_);
  if (amount_ < amount) return false;
  amount_ -= amount;
  return true;
}

bool Account::withdraw_carelessly(int amount) {
  if (this->amount() < amount) return false;
  std::lock_guard<std::mutex> hold(lock_);
  amount_ -= amount;
  return true;
}
