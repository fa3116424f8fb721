// SPDX-License-Identifier: Apache-2.0
// Fixed: the check and the withdrawal are one compare-and-swap.
#include <atomic>
#include <thread>

namespace {

std::atomic<int> balance{100};

void withdraw(int amount) {
  int seen = balance.load();
  while (seen >= amount && !balance.compare_exchange_weak(seen, seen - amount)) {
  }
}

}  // namespace

int main() {
  std::thread first(withdraw, 80);
  std::thread second(withdraw, 70);
  first.join();
  second.join();
  return balance.load() < 0 ? 3 : 0;
}
