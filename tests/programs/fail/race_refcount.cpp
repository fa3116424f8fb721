// SPDX-License-Identifier: Apache-2.0
// Bug: the last owner frees the object without having seen what the others did.
// EXPECT: kind=data-race within=100 message~"heap block"
// MATRIX: skip
#include <atomic>
#include <thread>

namespace {

struct Shared {
  std::atomic<int> owners{2};
  int first = 0, second = 0;
};
Shared* shared = nullptr;

void drop(int Shared::*mine) {
  shared->*mine = 1;
  if (shared->owners.fetch_sub(1, std::memory_order_relaxed) != 1) return;
  shared->first = shared->second = 0;
  delete shared;
}

}  // namespace

int main() {
  shared = new Shared;
  std::thread one(drop, &Shared::first), two(drop, &Shared::second);
  one.join();
  two.join();
  return 0;
}
