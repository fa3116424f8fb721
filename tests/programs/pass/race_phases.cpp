// SPDX-License-Identifier: Apache-2.0
// Fixed: a barrier lies between the phases.
// SCHEDULES: 500
#include <barrier>
#include <thread>

namespace {

int cells[2] = {0, 0};
int sums[2] = {0, 0};
std::barrier meet(2);

void work(int me) {
  cells[me] = me + 1;
  meet.arrive_and_wait();
  sums[me] = cells[0] + cells[1];
}

}  // namespace

int main() {
  std::thread one(work, 0), two(work, 1);
  one.join();
  two.join();
  return sums[0] > 3 || sums[1] > 3;
}
