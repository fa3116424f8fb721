// SPDX-License-Identifier: Apache-2.0
// A std::barrier from which threads drop out one after another; its completion sees them all still.
// SCHEDULES: 20
#include <array>
#include <barrier>
#include <cassert>
#include <thread>

namespace {

std::array<int, 3> cells{};
std::array<int, 4> sums{};
int phase = 0;

void close_phase() noexcept {
  for (int cell : cells) sums[phase] += cell;
  ++phase;
}

std::barrier meet(3, close_phase);

void work(int me) {
  for (int turn = 0; turn <= me; ++turn) {
    cells[me] += 1;
    meet.arrive_and_wait();
    assert(phase == turn + 1);  // written before the barrier opened, and not again before I arrive
  }
  meet.arrive_and_drop();
}

}  // namespace

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  work(2);
  first.join();
  second.join();
  assert(phase == 4);
  assert(sums[0] == 3 && sums[1] == 5 && sums[2] == 6 && sums[3] == 6);
  return 0;
}
