// SPDX-License-Identifier: Apache-2.0
// Fixed: the pointer is atomic: whoever sees it sees what it points to.
// SCHEDULES: 500
#include <atomic>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  int size = 7;
};
std::atomic<Settings*> instance = nullptr;
std::mutex guard;

Settings* get() {
  Settings* seen = instance.load(std::memory_order_acquire);
  if (seen != nullptr) return seen;
  std::lock_guard hold(guard);
  seen = instance.load(std::memory_order_relaxed);
  if (seen == nullptr) {
    seen = new Settings;
    instance.store(seen, std::memory_order_release);
  }
  return seen;
}

void use() {
  if (get()->size != 7) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  delete get();
  return 0;
}
