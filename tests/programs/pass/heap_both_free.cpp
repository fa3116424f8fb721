// SPDX-License-Identifier: Apache-2.0
// Fixed: the exchange tells who is.
// SCHEDULES: 500
#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<void*> buffer{nullptr};

void drop() {
  void* mine = buffer.exchange(nullptr);

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
