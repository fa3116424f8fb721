// SPDX-License-Identifier: Apache-2.0
// Bug: three threads each take their own lock and the next one's: a cycle of three.
// EXPECT: kind=deadlock within=500 stack=rotate
#include <mutex>
#include <thread>

namespace {

constexpr int kSlots = 3;
std::mutex guards[kSlots];
int values[kSlots] = {0, 0, 0};

void rotate(int slot) {
  const int next = (slot + 1) % kSlots;
  std::lock_guard mine(guards[slot]);
  std::lock_guard other(guards[next]);
  values[slot] += 1;
  values[next] += 1;
}

}  // namespace

int main() {
  std::thread first(rotate, 0);
  std::thread second(rotate, 1);
  std::thread third(rotate, 2);
  first.join();
  second.join();
  third.join();
  return values[0] + values[1] + values[2] == 6 ? 0 : 1;
}
