// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag is atomic, so the message comes with it.
// SCHEDULES: 500
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> ready{false};
int message = 0;

void first() {
  message = 42;
  ready.store(true, std::memory_order_release);
}

void second() {
  if (ready.load(std::memory_order_acquire) && message != 42) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return 0;
}
