// SPDX-License-Identifier: Apache-2.0
// Fixed: the two are variables of their own, although neighbours.
// SCHEDULES: 500
#include <thread>

namespace {

struct Flags {
  unsigned char left;
  unsigned char right;
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
