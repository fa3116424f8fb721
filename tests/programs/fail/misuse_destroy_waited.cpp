// SPDX-License-Identifier: Apache-2.0
// Bug: the condition variable goes while a thread waits for it.
// EXPECT: kind=sync-misuse within=100 message~"destroys .*, which T1 waits for"
// MATRIX: skip
#include <condition_variable>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>

namespace {

std::mutex guard;
std::binary_semaphore begun(0);
bool ready = false;

}  // namespace

int main() {
  auto changed = std::make_unique<std::condition_variable>();
  std::thread waiter([&] {
    std::unique_lock hold(guard);
    begun.release();
    changed->wait(hold, [] { return ready; });
  });
  begun.acquire();
  guard.lock();  // not before the other waits
  guard.unlock();

  changed.reset();
  waiter.detach();
  return 0;
}
