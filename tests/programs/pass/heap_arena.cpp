// SPDX-License-Identifier: Apache-2.0
// Fixed: the thread is joined before the arena goes.
// SCHEDULES: 500
#include <memory>
#include <memory_resource>
#include <thread>

namespace {

int* slot = nullptr;

void use() { *slot = 4; }

}  // namespace

int main() {
  auto arena = std::make_unique<std::pmr::monotonic_buffer_resource>(256);
  slot = static_cast<int*>(arena->allocate(sizeof(int), alignof(int)));
  std::thread user(use);
  user.join();
  arena.reset();
  return 0;
}
