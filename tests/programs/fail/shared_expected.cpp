// SPDX-License-Identifier: Apache-2.0
// Bug: Two threads compare an atomic shared_ptr with one plain shared_ptr that they share.
// EXPECT: kind=data-race within=20 stack=replace
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> latest;
std::shared_ptr<int> expected;

void replace(int number) {
  latest.compare_exchange_strong(expected, std::make_shared<int>(number), std::memory_order_acq_rel,
                                 std::memory_order_relaxed);
}

int main() {
  latest.store(std::make_shared<int>(0));
  std::thread a(replace, 1), b(replace, 2);
  a.join();
  b.join();
}
