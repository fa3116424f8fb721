// SPDX-License-Identifier: Apache-2.0
// Bug: the arena is released while a thread still uses what it handed out.
// EXPECT: kind=use-after-free within=100 message~"which is freed"
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
  arena.reset();
  user.join();
  return 0;
}
