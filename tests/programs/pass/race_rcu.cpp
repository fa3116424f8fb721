// SPDX-License-Identifier: Apache-2.0
// Fixed: the reader acquires what the writer released.
// SCHEDULES: 500
#include <atomic>
#include <thread>

namespace {

struct Config {
  int rate;
};
std::atomic<Config*> current{nullptr};

void first() {
  auto* fresh = new Config;
  fresh->rate = 3;
  current.store(fresh, std::memory_order_release);
}

void second() {
  Config* seen = current.load(std::memory_order_acquire);
  if (seen != nullptr && seen->rate != 3) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  delete current.load();
  return 0;
}
