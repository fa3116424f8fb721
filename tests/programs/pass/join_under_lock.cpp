// SPDX-License-Identifier: Apache-2.0
// Fixed: main joins before it takes the lock.
#include <mutex>
#include <semaphore>
#include <thread>

namespace {

std::mutex guard;
std::binary_semaphore started{0};
int result = 0;

void work() {
  started.release();
  std::lock_guard lock(guard);
  result = 42;
}

}  // namespace

int main() {
  std::thread worker(work);
  started.acquire();
  worker.join();
  std::lock_guard lock(guard);
  return result == 42 ? 0 : 1;
}
