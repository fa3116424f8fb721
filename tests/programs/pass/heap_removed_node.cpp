// SPDX-License-Identifier: Apache-2.0
// Fixed: nodes are used under the lock only.
// SCHEDULES: 500
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
  guard.unlock();
  auto first = [] {
    std::lock_guard hold(guard);
    return &jobs.back();
  }();
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
