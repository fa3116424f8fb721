// SPDX-License-Identifier: Apache-2.0
// Fixed: the waiter is woken and joined first.
// SCHEDULES: 500
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
bool ready = false;

}  // namespace

int main() {
  auto changed = std::make_unique<std::condition_variable>();
  std::thread waiter([&] {
    std::unique_lock hold(guard);
    changed->wait(hold, [] { return ready; });
  });
  {
    std::lock_guard hold(guard);
    ready = true;
  }
  changed->notify_all();
  waiter.join();
  changed.reset();

  return 0;
}
