// SPDX-License-Identifier: Apache-2.0
// Fixed: everybody takes the locks from the top down.
// SCHEDULES: 200
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

std::mutex bank;
std::shared_mutex branch;
std::mutex account;
int money = 0;
int checks = 0;

void open() {
  std::lock_guard upper(bank);
  std::unique_lock lower(branch);
  money += 5;
}

void pay() {
  std::shared_lock upper(branch);
  std::lock_guard lower(account);
  money += 1;
}

void balance() {
  std::lock_guard upper(bank);
  std::lock_guard lower(account);
  ++checks;
}

}  // namespace

int main() {
  std::thread opener(open);
  std::thread payer(pay);
  std::thread auditor(balance);
  opener.join();
  payer.join();
  auditor.join();
  return money == 6 && checks == 1 ? 0 : 1;
}
