// SPDX-License-Identifier: Apache-2.0
// Bug: each thread raises its flag and waits, politely and for ever, for the other's to go down.
// EXPECT: kind=livelock within=200 stack=enter
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> wants[2];
std::atomic<int> entered{0};

void enter(int me) {
  wants[me].store(true);
  while (wants[1 - me].load()) std::this_thread::yield();
  entered.fetch_add(1);
  wants[me].store(false);
}

}  // namespace

int main() {
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
  return entered.load() == 2 ? 0 : 1;
}
