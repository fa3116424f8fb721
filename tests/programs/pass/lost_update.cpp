// SPDX-License-Identifier: Apache-2.0
// Fixed: the read and the write of a deposit happen under one lock.
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
int balance = 0;

void deposit(int amount) {
  std::lock_guard lock(guard);
  balance += amount;
}

}  // namespace

int main() {
  std::thread first(deposit, 30);
  std::thread second(deposit, 12);
  first.join();
  second.join();
  assert(balance == 42);
}
