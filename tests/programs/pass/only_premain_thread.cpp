// SPDX-License-Identifier: Apache-2.0
// A global constructor starts a thread and joins it, before main runs.
#include <atomic>
#include <thread>

namespace {

std::atomic<int> ready{0};

void prepare() { ready.fetch_add(1); }

struct Setup {
  Setup() {
    std::thread helper(prepare);
    std::thread other(prepare);
    helper.join();
    other.join();
  }
};

Setup setup;

}  // namespace

int main() {
  std::thread late(prepare);
  late.join();
  return ready.load() == 3 ? 0 : 1;
}
