// SPDX-License-Identifier: Apache-2.0
// Bug: the second phase begins before the first has ended everywhere.
// EXPECT: kind=data-race within=100 message~"on `cells"
#include <barrier>
#include <thread>

namespace {

int cells[2] = {0, 0};
int sums[2] = {0, 0};
std::barrier meet(2);

void work(int me) {
  cells[me] = me + 1;
  if (sums[me] != 0) meet.arrive_and_wait();
  sums[me] = cells[0] + cells[1];
}

}  // namespace

int main() {
  std::thread one(work, 0), two(work, 1);
  one.join();
  two.join();
  return sums[0] > 3 || sums[1] > 3;
}
