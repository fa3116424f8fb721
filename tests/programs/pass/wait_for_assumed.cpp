// SPDX-License-Identifier: Apache-2.0
// Fixed: a wait that ran out of time is a normal outcome, which main handles.
// TEST: --timers any
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable changed;
bool ready = false;

void prepare() {
  std::lock_guard lock(guard);
  ready = true;
  changed.notify_one();
}

}  // namespace

int main() {
  std::jthread worker(prepare);
  std::unique_lock lock(guard);
  const bool in_time = changed.wait_for(lock, std::chrono::seconds(10), [] { return ready; });
  assert(in_time == ready);
}
