// SPDX-License-Identifier: Apache-2.0
// Fixed: an empty stack is left alone.
// SCHEDULES: 500
#include <mutex>
#include <thread>

namespace {

long* stack = nullptr;
int top = 1;
std::mutex guard;

void pop() {
  std::lock_guard hold(guard);
  if (top > 0) stack[--top] = 0;
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
