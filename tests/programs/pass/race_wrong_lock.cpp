// SPDX-License-Identifier: Apache-2.0
// Fixed: both hold the same lock.
// SCHEDULES: 500
#include <mutex>
#include <thread>

namespace {

std::mutex a, b;
long total = 0;

void first() {
  std::lock_guard hold(a);
  total += 1;
}

void second() {
  std::lock_guard hold(a);
  total += 2;
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  std::lock_guard hold(b);
  return 0;
}
