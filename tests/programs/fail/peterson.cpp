// SPDX-License-Identifier: Apache-2.0
// Bug: Peterson's lock gives the turn away before it raises its flag, so both threads enter.
// EXPECT: kind=assertion within=500 message~"inside" function=enter
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<bool> wants[2];
std::atomic<int> turn{0};
std::atomic<int> inside{0};

void enter(int me) {
  const int other = 1 - me;
  turn.store(other);
  wants[me].store(true);
  while (wants[other].load() && turn.load() == other) std::this_thread::yield();
  assert(inside.fetch_add(1) == 0);
  inside.fetch_sub(1);
  wants[me].store(false);
}

}  // namespace

int main() {
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
}
