// SPDX-License-Identifier: Apache-2.0
// Fixed: both threads take the locks in the same order.
#include <mutex>
#include <thread>

namespace {

std::mutex left, right;
int moved = 0;

void take_both(std::mutex& first, std::mutex& second) {
  first.lock();
  second.lock();
  ++moved;
  second.unlock();
  first.unlock();
}

}  // namespace

int main() {
  std::thread other([] { take_both(left, right); });
  take_both(left, right);
  other.join();
  return moved == 2 ? 0 : 1;
}
