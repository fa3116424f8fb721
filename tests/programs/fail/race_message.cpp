// SPDX-License-Identifier: Apache-2.0
// Bug: a plain flag says that the message is there.
// EXPECT: kind=data-race within=100 message~"on `message`"
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> ready{false};
int message = 0;

void first() {
  message = 42;
  ready.store(true, std::memory_order_relaxed);
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
