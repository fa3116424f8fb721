// SPDX-License-Identifier: Apache-2.0
// Fixed: std::scoped_lock takes both locks without a deadlock.
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex guard;
  int balance = 100;
};

Account left;
Account right;

void transfer(Account& from, Account& to, int amount) {
  std::scoped_lock lock(from.guard, to.guard);
  from.balance -= amount;
  to.balance += amount;
}

void pay_right() { transfer(left, right, 10); }
void pay_left() { transfer(right, left, 25); }

}  // namespace

int main() {
  std::thread first(pay_right);
  std::thread second(pay_left);
  first.join();
  second.join();
  return left.balance == 115 && right.balance == 85 ? 0 : 1;
}
