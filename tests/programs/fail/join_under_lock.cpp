// SPDX-License-Identifier: Apache-2.0
// Bug: main joins the worker while it holds the lock the worker still has to take.
// EXPECT: kind=deadlock within=50 stack=work
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
  std::lock_guard lock(guard);
  worker.join();
  return result == 42 ? 0 : 1;
}
