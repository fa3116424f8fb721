// SPDX-License-Identifier: Apache-2.0
// Bug: two transfers in opposite directions take the two account locks in opposite order.
// EXPECT: kind=deadlock within=100 stack=transfer
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
  std::lock_guard lock_from(from.guard);
  std::lock_guard lock_to(to.guard);
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
