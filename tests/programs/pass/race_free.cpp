// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag hands over the block.
#include <atomic>
#include <thread>

int main() {
  int* block = new int(1);
  std::atomic<int> done{0};
  std::thread reader([&] { done.store(*block, std::memory_order_release); });
  while (done.load(std::memory_order_acquire) == 0) std::this_thread::yield();
  delete block;
  reader.join();
}
