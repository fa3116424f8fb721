// SPDX-License-Identifier: Apache-2.0
// Fixed: the second thread takes its flag down while the first one wants to enter.
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> wants[2];
int entered = 0;

void enter(int me) {
  wants[me].store(true);
  while (wants[1 - me].load()) {
    if (me == 1) {
      wants[me].store(false);
      while (wants[1 - me].load()) std::this_thread::yield();
      wants[me].store(true);
    }
    std::this_thread::yield();
  }
  entered += 1;
  wants[me].store(false);
}

}  // namespace

int main() {
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
  return entered == 2 ? 0 : 1;
}
