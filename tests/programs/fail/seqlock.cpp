// SPDX-License-Identifier: Apache-2.0
// Bug: the reader does not check the sequence again after reading, so it sees a torn pair.
// EXPECT: kind=assertion within=200 message~"left == right" function=read_pair
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
  while (sequence.load() % 2 != 0) std::this_thread::yield();
  const int left = x.load();
  const int right = y.load();
  assert(left == right);
}

}  // namespace

int main() {
  std::thread writer(write_pair);
  std::thread reader(read_pair);
  writer.join();
  reader.join();
}
