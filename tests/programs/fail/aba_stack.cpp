// SPDX-License-Identifier: Apache-2.0
// Bug: a lock-free stack of indices compares only the index, so a recycled head goes unnoticed.
// EXPECT: kind=assertion within=1000 message~"owned"
#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr int kNone = -1;
std::atomic<int> head{0};
std::atomic<int> next[3] = {1, 2, kNone};
std::atomic<bool> owned[3];

int pop() {
  int top = head.load();
  while (top != kNone && !head.compare_exchange_strong(top, next[top].load())) {
  }
  if (top != kNone) assert(!owned[top].exchange(true));
  return top;
}

void push(int index) {
  owned[index].store(false);
  int top = head.load();
  do {
    next[index].store(top);
  } while (!head.compare_exchange_strong(top, index));
}

void pop_two() {
  pop();
  pop();
}

void recycle() {
  const int first = pop();
  pop();
  if (first != kNone) push(first);
}

}  // namespace

int main() {
  std::thread one(pop_two);
  std::thread two(recycle);
  one.join();
  two.join();
}
