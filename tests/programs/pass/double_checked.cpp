// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag goes up after the value is there, with release and acquire order.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::atomic<bool> ready{false};
int value = 0;

void use() {
  if (!ready.load(std::memory_order_acquire)) {
    std::lock_guard lock(guard);
    if (!ready.load(std::memory_order_relaxed)) {
      value = 42;
      ready.store(true, std::memory_order_release);
    }
  }
  assert(value == 42);
}

}  // namespace

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
}
