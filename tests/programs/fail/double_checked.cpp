// SPDX-License-Identifier: Apache-2.0
// Bug: double-checked initialisation raises its flag before the value is there.
// EXPECT: kind=assertion within=200 message~"value.load\(\) == 42" function=use
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::atomic<bool> ready{false};
std::atomic<int> value{0};

void use() {
  if (!ready.load()) {
    std::lock_guard lock(guard);
    if (!ready.load()) {
      ready.store(true);
      value.store(42);
    }
  }
  assert(value.load() == 42);
}

}  // namespace

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
}
