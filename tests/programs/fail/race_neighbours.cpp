// SPDX-License-Identifier: Apache-2.0
// Bug: two bit-fields of one word are written by two threads.
// EXPECT: kind=data-race within=100 message~"on `flags"
// MATRIX: skip
#include <thread>

namespace {

struct Flags {
  unsigned left : 4;
  unsigned right : 4;
} flags = {0, 0};

void first() { flags.left = 1; }
void second() { flags.right = 1; }

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return flags.left + flags.right > 2;
}
