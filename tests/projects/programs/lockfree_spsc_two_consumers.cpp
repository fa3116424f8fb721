// SPDX-License-Identifier: Apache-2.0
// The misuse of boost::lockfree::spsc_queue, in the program under test: it allows one consumer, and
// here there are two. An element is taken twice, or one is skipped.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

namespace {

constexpr int kCount = 4;

boost::lockfree::spsc_queue<int, boost::lockfree::capacity<8>> ring;

int consume() {
  int sum = 0;
  for (int value; ring.pop(value);) sum += value;
  return sum;
}

}  // namespace

int main() {
  for (int i = 1; i <= kCount; ++i) ring.push(i);
  int sums[2] = {};
  std::thread a([&] { sums[0] = consume(); }), b([&] { sums[1] = consume(); });
  a.join();
  b.join();
  assert(sums[0] + sums[1] == kCount * (kCount + 1) / 2);
}
