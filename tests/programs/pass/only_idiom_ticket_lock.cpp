// SPDX-License-Identifier: Apache-2.0
// A ticket lock with back-off in proportion to the tickets before one's own.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

namespace {

std::atomic<unsigned> next_ticket{0};
std::atomic<unsigned> serving{0};
std::vector<unsigned> order;

void work() {
  for (int i = 0; i < 2; ++i) {
    unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
    while (true) {
      unsigned now = serving.load(std::memory_order_acquire);
      if (now == mine) break;
      for (unsigned wait = mine - now; wait > 0; --wait) __builtin_ia32_pause();
    }
    order.push_back(mine);
    serving.store(mine + 1, std::memory_order_release);
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  std::thread third(work);
  first.join();
  second.join();
  third.join();
  assert(order.size() == 6);
  for (unsigned i = 0; i < order.size(); ++i) assert(order[i] == i);
  return 0;
}
