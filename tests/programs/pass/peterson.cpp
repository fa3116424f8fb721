// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag goes up first, then the turn is given away.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<bool> wants[2];
std::atomic<int> turn{0};
int inside = 0;

void enter(int me) {
  const int other = 1 - me;
  wants[me].store(true);
  turn.store(other);
  while (wants[other].load() && turn.load() == other) std::this_thread::yield();
  assert(inside == 0);
  inside = 1;
  inside = 0;
  wants[me].store(false);
}

}  // namespace

int main() {
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
}
