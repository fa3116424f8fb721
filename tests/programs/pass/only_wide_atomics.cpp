// SPDX-License-Identifier: Apache-2.0
// Atomics of 16 bytes, which compilers leave to a library: never torn, and they order.
// FLAGS: -latomic
// SCHEDULES: 200
#include <atomic>
#include <cstdint>
#include <thread>

namespace {

struct alignas(16) Pair {
  std::uint64_t left, right;
};

std::atomic<Pair> pair{Pair{0, 0}};
int message = 0;
std::atomic<int> torn{0};

void advance() {
  Pair seen = pair.load();
  while (!pair.compare_exchange_weak(seen, {seen.left + 1, seen.right + 2})) {
  }
}

void writer() {
  advance();
  message = 5;
  pair.store({10, 20}, std::memory_order_release);
}

void reader() {
  const Pair seen = pair.load(std::memory_order_acquire);
  if (seen.right != 2 * seen.left) ++torn;
  if (seen.left == 10 && message != 5) ++torn;
}

}  // namespace

int main() {
  std::thread one(writer), two(reader), three(reader);
  reader();
  one.join();
  two.join();
  three.join();
  advance();
  return torn == 0 && pair.load().left == 11 && pair.load().right == 22 ? 0 : 1;
}
