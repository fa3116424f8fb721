// SPDX-License-Identifier: Apache-2.0
// Lamport's bakery for three threads: sequentially consistent loads and stores, nothing else.
// SCHEDULES: 20
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

namespace {

constexpr int kThreads = 3;
std::array<std::atomic<bool>, kThreads> choosing{};
std::array<std::atomic<int>, kThreads> number{};
int counter = 0;

void lock(int me) {
  choosing[me].store(true);
  int highest = 0;
  for (auto& other : number) highest = std::max(highest, other.load());
  number[me].store(highest + 1);
  choosing[me].store(false);
  for (int other = 0; other < kThreads; ++other) {
    while (choosing[other].load()) std::this_thread::yield();
    while (true) {
      int theirs = number[other].load();
      if (theirs == 0 || std::pair(theirs, other) >= std::pair(number[me].load(), me)) break;
      std::this_thread::yield();
    }
  }
}

void work(int me) {
  for (int i = 0; i < 2; ++i) {
    lock(me);
    ++counter;
    number[me].store(0);
  }
}

}  // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  work(0);
  first.join();
  second.join();
  assert(counter == 6);
  return 0;
}
