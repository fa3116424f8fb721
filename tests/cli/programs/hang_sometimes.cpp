// SPDX-License-Identifier: Apache-2.0
//
// If the other thread comes first, the first one loops without an end, and without a point.
#include <atomic>
#include <thread>

int main() {
  std::atomic<bool> first{false};
  std::thread other([&] { first = true; });
  if (first) {
    unsigned number = 1;
    while (number != 0) __asm__ volatile("" : "+r"(number));
  }
  other.join();
  return 0;
}
