// SPDX-License-Identifier: Apache-2.0
// Bug: the two halves of a pair are two atomics; a reader gets one old and one new half.
// EXPECT: kind=assertion within=200 message~"low == high" function=read_pair
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<long> first_half{0};
std::atomic<long> second_half{0};

void write_pair() {
  first_half.store(1);
  second_half.store(1);
}

void read_pair() {
  const long low = first_half.load();
  const long high = second_half.load();
  assert(low == high);
}

}  // namespace

int main() {
  std::thread writer(write_pair);
  std::thread reader(read_pair);
  writer.join();
  reader.join();
}
