// SPDX-License-Identifier: Apache-2.0
// Bug: the index is decremented once too often.
// EXPECT: kind=heap-overflow within=100 message~"before heap block"
#include <mutex>
#include <thread>

namespace {

long* stack = nullptr;
int top = 1;
std::mutex guard;

void pop() {
  std::lock_guard hold(guard);
  stack[--top] = 0;
}

}  // namespace

int main() {
  stack = new long[2];
  std::thread one(pop), two(pop);
  one.join();
  two.join();
  delete[] stack;
  return 0;
}
