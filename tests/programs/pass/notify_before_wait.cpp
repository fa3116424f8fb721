// SPDX-License-Identifier: Apache-2.0
// Fixed: the wait has a condition, which remembers an early notification.
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable changed;
bool signalled = false;

void wait_for_signal() {
  std::unique_lock lock(guard);
  changed.wait(lock, [] { return signalled; });
}

void signal() {
  std::lock_guard lock(guard);
  signalled = true;
  changed.notify_one();
}

}  // namespace

int main() {
  std::thread waiter(wait_for_signal);
  std::thread signaller(signal);
  waiter.join();
  signaller.join();
}
