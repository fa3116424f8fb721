// SPDX-License-Identifier: Apache-2.0
// Fixed: the once block is finished before the lock is taken.
#include <mutex>
#include <thread>

namespace {

std::once_flag once;
std::mutex guard;
int value = 0;
int uses = 0;

void load() {
  std::call_once(once, [] {
    std::lock_guard lock(guard);
    value = 42;
  });
}

void use() {
  load();
  std::lock_guard lock(guard);
  uses += value;
}

}  // namespace

int main() {
  std::thread first(load);
  std::thread second(use);
  first.join();
  second.join();
  return uses == 42 ? 0 : 1;
}
