// SPDX-License-Identifier: Apache-2.0
// Bug: a reference into a vector is kept while the vector grows.
// EXPECT: kind=use-after-free within=100 message~"which is freed"
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
  mine = mine == 0 ? 1 : 2;
}

}  // namespace

int main() {
  std::thread one(add), two(change);
  one.join();
  two.join();
  return 0;
}
