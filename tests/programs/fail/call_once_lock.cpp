// SPDX-License-Identifier: Apache-2.0
// Bug: one thread initialises under call_once and wants the lock that another holds around it.
// EXPECT: kind=deadlock within=100 stack=use
#include <mutex>
#include <thread>

namespace {

std::once_flag once;
std::mutex guard;
int value = 0;

void load() {
  std::call_once(once, [] {
    std::lock_guard lock(guard);
    value = 42;
  });
}

void use() {
  std::lock_guard lock(guard);
  std::call_once(once, [] { value = 42; });
}

}  // namespace

int main() {
  std::thread first(load);
  std::thread second(use);
  first.join();
  second.join();
  return value == 42 ? 0 : 1;
}
