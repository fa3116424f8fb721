// SPDX-License-Identifier: Apache-2.0
// Fixed: the reader starts again unless the sequence is even and unchanged.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<unsigned> sequence{0};
std::atomic<int> x{0};
std::atomic<int> y{0};

void write_pair() {
  sequence.fetch_add(1);
  x.store(1);
  y.store(1);
  sequence.fetch_add(1);
}

void read_pair() {
  for (;;) {
    const unsigned before = sequence.load();
    const int left = x.load();
    const int right = y.load();
    if (before % 2 == 0 && sequence.load() == before) {
      assert(left == right);
      return;
    }
    std::this_thread::yield();
  }
}

}  // namespace

int main() {
  std::thread writer(write_pair);
  std::thread reader(read_pair);
  writer.join();
  reader.join();
}
