// SPDX-License-Identifier: Apache-2.0
// Bug: whoever sees the flag frees the object, whose lock the other thread has still to give back.
// EXPECT: kind=use-after-free within=200 message~"T1 unlocks a mutex .* which is freed"
#include <atomic>
#include <mutex>
#include <thread>

struct Request {
  std::mutex mutex;
  std::atomic<bool> done{false};
};

int main() {
  auto* request = new Request;
  std::thread worker([request] {
    std::lock_guard lock(request->mutex);
    request->done = true;
  });
  while (!request->done) std::this_thread::yield();
  delete request;
  worker.join();
}
