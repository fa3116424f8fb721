// SPDX-License-Identifier: Apache-2.0
// Bug: the condition variable is waited on without a condition; an early notification is lost.
// EXPECT: kind=deadlock within=50 stack=wait_for_signal
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable changed;

void wait_for_signal() {
  std::unique_lock lock(guard);
  changed.wait(lock);
}

void signal() {
  std::lock_guard lock(guard);
  changed.notify_one();
}

}  // namespace

int main() {
  std::thread waiter(wait_for_signal);
  std::thread signaller(signal);
  waiter.join();
  signaller.join();
}
