// SPDX-License-Identifier: Apache-2.0
// Threads that work until another one has slept: time passes although they never wait.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

std::atomic<bool> stop{false};
std::mutex guard;
long rounds = 0;

void work() {
  while (!stop.load()) {
    std::lock_guard lock(guard);
    ++rounds;
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  stop.store(true);
  first.join();
  second.join();
  assert(rounds > 0);
  return 0;
}
