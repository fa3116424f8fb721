// SPDX-License-Identifier: Apache-2.0
// Two transfers out of one account. Each looks before it takes, yet the account can end in debt.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> checking{100};
std::atomic<int> savings{0};

void transfer(int amount) {
  if (checking >= amount) {
    checking -= amount;
    savings += amount;
  }
}

int main() {
  std::thread rent(transfer, 80);
  std::thread holiday(transfer, 60);
  rent.join();
  holiday.join();
  assert(checking >= 0);
}
