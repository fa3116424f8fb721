// SPDX-License-Identifier: Apache-2.0
// Bug: the waiter looks at the condition without the lock.
// EXPECT: kind=data-race within=100 message~"on `ready`"
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
  while (!ready) {
    std::unique_lock hold(guard);
    if (!ready) changed.wait(hold);
  }
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return 0;
}
