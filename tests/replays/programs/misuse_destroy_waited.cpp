// SPDX-License-Identifier: Apache-2.0
//
// The condition variable goes while a thread waits for it.
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
    ready = false;
  }
  changed->notify_all();

  changed.reset();
  waiter.detach();
  return 0;
}
