// SPDX-License-Identifier: Apache-2.0
// Bug: both threads think that they are the last.
// EXPECT: kind=double-free within=100 message~"again"
#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<void*> buffer{nullptr};

void drop() {
  void* mine = buffer.load();
  buffer.store(nullptr);
  if (mine != nullptr) free(mine);
}

}  // namespace

int main() {
  buffer = malloc(24);
  std::thread one(drop), two(drop);
  one.join();
  two.join();
  return 0;
}
