// SPDX-License-Identifier: Apache-2.0
// Bug: a plain variable is used as a flag.
// EXPECT: kind=data-race within=100 message~"on `done`"
#include <atomic>
#include <thread>

namespace {

bool done = false;

void first() { done = true; }

void second() {
  if (done) std::this_thread::yield();
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  return 0;
}
