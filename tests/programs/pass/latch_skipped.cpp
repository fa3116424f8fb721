// SPDX-License-Identifier: Apache-2.0
// Fixed: every path of a worker counts the latch down.
#include <atomic>
#include <latch>
#include <thread>

namespace {

std::latch finished{2};
std::atomic<bool> configured{false};
std::atomic<int> skipped{0};

void load() { configured.store(true); }

void work() {
  if (!configured.load()) skipped.fetch_add(1);
  finished.count_down();
}

}  // namespace

int main() {
  std::thread loader(load);
  std::thread first(work);
  std::thread second(work);
  finished.wait();
  loader.join();
  first.join();
  second.join();
  return skipped.load() <= 2 ? 0 : 1;
}
