// SPDX-License-Identifier: Apache-2.0
// Fixed: std::jthread joins in its destructor, finished or not.
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> done{false};

void work() { done.store(true); }

}  // namespace

int main() {
  {
    std::jthread worker(work);
    if (!done.load()) worker.join();
  }
  return done.load() ? 0 : 1;
}
