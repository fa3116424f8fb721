// SPDX-License-Identifier: Apache-2.0
// Fixed: the exception is caught inside the noexcept function.
#include <atomic>
#include <stdexcept>
#include <thread>

namespace {

std::atomic<bool> open{true};
std::atomic<int> closed{0};

void close_handle() {
  if (!open.exchange(false)) throw std::logic_error("closed twice");
  closed.fetch_add(1);
}

void release() noexcept {
  try {
    close_handle();
  } catch (const std::logic_error&) {
    // Somebody else has closed it: fine.
  }
}

}  // namespace

int main() {
  std::thread first(release);
  std::thread second(release);
  first.join();
  second.join();
  return closed.load() == 1 ? 0 : 1;
}
