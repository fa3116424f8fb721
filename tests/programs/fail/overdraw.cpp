// SPDX-License-Identifier: Apache-2.0
// Bug: the balance is checked and then taken in two atomic steps, so the account is overdrawn.
// EXPECT: kind=exit-code within=100 message~"3"
#include <atomic>
#include <thread>

namespace {

std::atomic<int> balance{100};

void withdraw(int amount) {
  if (balance.load() >= amount) balance.fetch_sub(amount);
}

}  // namespace

int main() {
  std::thread first(withdraw, 80);
  std::thread second(withdraw, 70);
  first.join();
  second.join();
  return balance.load() < 0 ? 3 : 0;
}
