// SPDX-License-Identifier: Apache-2.0
// Bug: two threads close one handle; the second close throws out of a noexcept function.
// EXPECT: kind=exception within=100 message~"closed twice" stack=release
#include <atomic>
#include <stdexcept>
#include <thread>

namespace {

std::atomic<bool> open{true};

void close_handle() {
  if (!open.exchange(false)) throw std::logic_error("closed twice");
}

void release() noexcept {
  if (open.load()) close_handle();
}

}  // namespace

int main() {
  std::thread first(release);
  std::thread second(release);
  first.join();
  second.join();
}
