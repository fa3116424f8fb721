// SPDX-License-Identifier: Apache-2.0
// Two threads take two locks in opposite orders and back off without a pause: in step they never
// get both.
// TEST: --fail-on lockstep-livelock --max-steps 20000
// EXPECT: kind=lockstep-livelock within=300 message~"out of step they go on" stack=take_both
#include <mutex>
#include <thread>

namespace {

std::mutex left, right;
int moved = 0;

void take_both(std::mutex& first, std::mutex& second) {
  for (;;) {
    first.lock();
    if (second.try_lock()) break;
    first.unlock();
  }
  ++moved;
  second.unlock();
  first.unlock();
}

}  // namespace

int main() {
  std::thread other([] { take_both(right, left); });
  take_both(left, right);
  other.join();
  return moved == 2 ? 0 : 1;
}
