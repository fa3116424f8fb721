// SPDX-License-Identifier: Apache-2.0
// Bug: the first look of double-checked locking is a plain read.
// EXPECT: kind=data-race within=100 message~"on `instance`"
#include <atomic>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  int size = 7;
};
Settings* instance = nullptr;
std::mutex guard;

Settings* get() {
  Settings* seen = instance;
  if (seen != nullptr) return seen;
  std::lock_guard hold(guard);
  seen = instance;
  if (seen == nullptr) {
    seen = new Settings;
    instance = seen;
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
