// SPDX-License-Identifier: Apache-2.0
// Fixed: the object is freed when the thread has ended.
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
  worker.join();
  delete request;
}
