// SPDX-License-Identifier: Apache-2.0
// Fixed: all waiters are notified.
#include <atomic>
#include <thread>

namespace {

std::atomic<int> gate{0};
std::atomic<int> loaded{0};

void wait_open() { gate.wait(0); }

}  // namespace

int main() {
  std::thread first(wait_open);
  std::thread second(wait_open);
  for (int i = 0; i < 24; ++i) loaded.fetch_add(1);
  gate.store(1);
  gate.notify_all();
  first.join();
  second.join();
}
