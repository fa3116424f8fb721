// SPDX-License-Identifier: Apache-2.0
// Two threads take two locks named in opposite orders: std::scoped_lock backs off.
#include <mutex>
#include <thread>

std::mutex left, right;
int moved = 0;

void move(std::mutex& first, std::mutex& second) {
  std::scoped_lock both(first, second);
  ++moved;
}

int main() {
  std::thread other([] { move(right, left); });
  move(left, right);
  other.join();
  return moved == 2 ? 0 : 1;
}
