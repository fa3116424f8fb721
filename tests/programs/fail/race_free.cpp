// SPDX-License-Identifier: Apache-2.0
// Bug: the flag that says that the block is not used any more orders nothing.
// EXPECT: kind=data-race within=50 message~"T0 frees it .* T1 read it"
#include <atomic>
#include <thread>

int main() {
  int* block = new int(1);
  std::atomic<int> done{0};
  std::thread reader([&] { done.store(*block, std::memory_order_relaxed); });
  while (done.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  delete block;
  reader.join();
}
