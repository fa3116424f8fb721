// SPDX-License-Identifier: Apache-2.0
// Bug: a wait of ten seconds is taken to succeed always; a timer that fires early proves it wrong.
// TEST: --timers any
// EXPECT: kind=assertion within=200 message~"ready" function=main
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
  if (!ready) changed.wait_for(lock, std::chrono::seconds(10));
  assert(ready);
}
