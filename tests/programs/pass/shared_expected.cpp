// SPDX-License-Identifier: Apache-2.0
// Each thread has an expected value of its own.
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> latest;

void replace(int number) {
  std::shared_ptr<int> expected;
  latest.compare_exchange_strong(expected, std::make_shared<int>(number), std::memory_order_acq_rel,
                                 std::memory_order_relaxed);
}

int main() {
  latest.store(std::make_shared<int>(0));
  std::thread a(replace, 1), b(replace, 2);
  a.join();
  b.join();
}
