// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag is atomic.
// SCHEDULES: 500
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> done = false;

void first() { done = true; }

void second() {
  if (done) std::this_thread::yield();
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return 0;
}
