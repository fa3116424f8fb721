// SPDX-License-Identifier: Apache-2.0
// Bug: `balance += amount` is a read and a write, so one of two deposits can be lost.
// EXPECT: kind=assertion within=100 message~"balance == 42" function=main
#include <cassert>
#include <thread>

namespace {

int balance = 0;

void deposit(int amount) { balance += amount; }

}  // namespace

int main() {
  std::thread first(deposit, 30);
  std::thread second(deposit, 12);
  first.join();
  second.join();
  assert(balance == 42);
}
