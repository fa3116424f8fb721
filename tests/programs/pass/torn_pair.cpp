// SPDX-License-Identifier: Apache-2.0
// Fixed: the pair is one atomic of 16 bytes.
// FLAGS: -latomic
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct alignas(16) Pair {
  long low;
  long high;
};

std::atomic<Pair> pair{Pair{0, 0}};

void write_pair() {
  pair.store(Pair{1, 1});
  Pair expected{1, 1};
  const bool swapped = pair.compare_exchange_strong(expected, Pair{2, 2});
  assert(swapped);
}

void read_pair() {
  const Pair seen = pair.load();
  assert(seen.low == seen.high);
}

}  // namespace

int main() {
  std::thread writer(write_pair);
  std::thread reader(read_pair);
  writer.join();
  reader.join();
}
