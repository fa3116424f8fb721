// SPDX-License-Identifier: Apache-2.0
// Bug: main skips the join when the worker looks finished, and destroys a joinable thread.
// EXPECT: kind=exception within=50 message~"terminate" stack=main
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> done{false};

void work() { done.store(true); }

}  // namespace

int main() {
  std::thread worker(work);
  if (!done.load()) worker.join();
}
