// SPDX-License-Identifier: Apache-2.0
// Bug: two threads wait for the atomic flag and only one of them is notified.
// EXPECT: kind=deadlock within=100 stack=wait_open
#include <atomic>
#include <thread>

namespace {

std::atomic<int> gate{0};
std::atomic<int> loaded{0};

void wait_open() { gate.wait(0); }

}  // namespace

int main() {
  std::thread first(wait_open);
  std::thread second(wait_open);
  // Time enough for both to stop spinning and to go to sleep.
  for (int i = 0; i < 24; ++i) loaded.fetch_add(1);
  gate.store(1);
  gate.notify_one();
  first.join();
  second.join();
}
