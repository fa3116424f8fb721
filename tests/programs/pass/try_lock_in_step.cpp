// SPDX-License-Identifier: Apache-2.0
// Fixed: std::scoped_lock takes both, in an order of its own. It backs off in step now and then,
// which is not told of.
#include <mutex>
#include <thread>

namespace {

std::mutex left, right;
int moved = 0;

void take_both(std::mutex& first, std::mutex& second) {
  std::scoped_lock both(first, second);
  ++moved;
}

}  // namespace

int main() {
  std::thread other([] { take_both(right, left); });
  take_both(left, right);
  other.join();
  return moved == 2 ? 0 : 1;
}
