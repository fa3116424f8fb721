// SPDX-License-Identifier: Apache-2.0
// Bug: a list node is used after another thread removed it.
// EXPECT: kind=use-after-free within=100 message~"which is freed"
#include <list>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::list<int> jobs{1, 2, 3};

void finish() {
  std::lock_guard hold(guard);
  jobs.pop_front();
}

void renumber() {
  guard.lock();
  auto first = jobs.begin();
  guard.unlock();
  std::lock_guard again(guard);
  if (!jobs.empty()) *first = 9;
}

}  // namespace

int main() {
  std::thread one(finish), two(renumber);
  one.join();
  two.join();
  return 0;
}
