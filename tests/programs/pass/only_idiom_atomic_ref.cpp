// SPDX-License-Identifier: Apache-2.0
// std::atomic_ref: a plain array is shared by atomic references for a while, and plain again after
// the threads have met.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

namespace {

alignas(std::atomic_ref<int>::required_alignment) std::array<int, 3> bins{};
std::barrier meet(3);

void work(int me) {
  bins[me] = 0;  // still mine
  meet.arrive_and_wait();
  for (int i = 0; i < 3; ++i) {
    std::atomic_ref<int> bin(bins[(me + i) % 3]);
    if (i == 0)
      bin.fetch_add(1, std::memory_order_relaxed);
    else
      for (int old = bin.load(); !bin.compare_exchange_weak(old, old + i);) {
      }
  }
  meet.arrive_and_wait();
  assert(bins[me] == 4);  // mine again
  bins[me] *= 10;
}

}  // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  work(0);
  first.join();
  second.join();
  assert(bins[0] == 40 && bins[1] == 40 && bins[2] == 40);
  return 0;
}
