// SPDX-License-Identifier: Apache-2.0
// Dining philosophers who put the first fork back when the second one is taken, and sleep longer
// after every failure.
// SCHEDULES: 20
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

std::array<std::mutex, 3> forks;
std::array<int, 3> used{};

void dine(int me) {
  int left = me;
  int right = (me + 1) % 3;
  auto pause = std::chrono::milliseconds(me + 1);
  for (int meals = 0; meals < 2;) {
    std::unique_lock first(forks[left]);
    std::unique_lock second(forks[right], std::try_to_lock);
    if (!second) {
      first.unlock();
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::milliseconds(8));
      continue;
    }
    ++used[left];
    ++used[right];
    ++meals;
  }
}

}  // namespace

int main() {
  std::thread first(dine, 1);
  std::thread second(dine, 2);
  dine(0);
  first.join();
  second.join();
  assert(used[0] == 4 && used[1] == 4 && used[2] == 4);
  return 0;
}
