// SPDX-License-Identifier: Apache-2.0
// Fixed: the condition is looked at under the lock.
// SCHEDULES: 500
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable changed;
bool ready = false;

void first() {
  {
    std::lock_guard hold(guard);
    ready = true;
  }
  changed.notify_one();
}

void second() {
  std::unique_lock hold(guard);
  while (!ready) {
    changed.wait(hold);
  }
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return 0;
}
