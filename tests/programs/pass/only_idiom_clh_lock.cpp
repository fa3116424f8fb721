// SPDX-License-Identifier: Apache-2.0
// The lock of Craig, Landin and Hagersten: a waiter spins on the cell of the one before it, and
// takes that cell along when it leaves.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {

struct Cell {
  std::atomic<bool> busy{false};
};
std::atomic<Cell*> tail{new Cell};
int counter = 0;

void work() {
  Cell* mine = new Cell;
  for (int i = 0; i < 2; ++i) {
    mine->busy.store(true, std::memory_order_relaxed);
    Cell* before = tail.exchange(mine, std::memory_order_acq_rel);
    while (before->busy.load(std::memory_order_acquire)) std::this_thread::yield();
    ++counter;
    mine->busy.store(false, std::memory_order_release);
    mine = before;  // nobody looks at it any more
  }
  delete mine;
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(counter == 6);
  std::unique_ptr<Cell> rest(tail.load());
  assert(!rest->busy.load());
  return 0;
}
