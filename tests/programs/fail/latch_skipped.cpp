// SPDX-License-Identifier: Apache-2.0
// Bug: a worker that finds no configuration returns without counting the latch down.
// EXPECT: kind=deadlock within=50 stack=main
#include <atomic>
#include <latch>
#include <thread>

namespace {

std::latch finished{2};
std::atomic<bool> configured{false};

void load() { configured.store(true); }

void work() {
  if (!configured.load()) return;
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
}
