// SPDX-License-Identifier: Apache-2.0
// Fixed: the index is kept instead.
// SCHEDULES: 500
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex guard;
std::vector<int> values(4);

void add() {
  std::lock_guard hold(guard);
  values.push_back(5);
}

void change() {
  guard.lock();
  int& mine = values[0];
  guard.unlock();
  std::lock_guard hold(guard);
  int& again = values[0];
  if (&again != &mine) return;
  again = mine == 0 ? 1 : 2;
}

}  // namespace

int main() {
  std::thread one(add), two(change);
  one.join();
  two.join();
  return 0;
}
