// SPDX-License-Identifier: Apache-2.0
// Fixed: every thread takes the lock with the lower index first.
#include <algorithm>
#include <mutex>
#include <thread>

namespace {

constexpr int kSlots = 3;
std::mutex guards[kSlots];
int values[kSlots] = {0, 0, 0};

void rotate(int slot) {
  const int next = (slot + 1) % kSlots;
  std::lock_guard lower(guards[std::min(slot, next)]);
  std::lock_guard upper(guards[std::max(slot, next)]);
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
