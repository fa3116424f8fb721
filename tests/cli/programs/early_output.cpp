// SPDX-License-Identifier: Apache-2.0
// Prints before main, and leaves it in the buffer.
#include <cstdio>
#include <thread>

namespace {

struct Early {
  Early() { std::printf("early "); }
} early;

}  // namespace

int main() {
  std::thread other([] { std::printf("late\n"); });
  other.join();
}
