// SPDX-License-Identifier: Apache-2.0
//
// Four counters, each of them incremented by two threads with a load and a store: a search finds
// all four to be wrong, one by one, in the order in which it looks at them. They are a member of a
// global object, two members of objects on the heap, and a global variable.
#include <atomic>
#include <cassert>
#include <thread>

namespace store {

struct Queue {
  std::atomic<int> size{0};

  __attribute__((noinline)) void push(int many) {
    int seen = size.load();
    size.store(seen + many);
  }
  __attribute__((noinline)) void push(long) {}
};

template <class Item>
class Stack {
 public:
  __attribute__((noinline)) void push(Item) {
    int seen = depth_.load();
    depth_.store(seen + 1);
  }
  int depth() const { return depth_; }

 private:
  std::atomic<int> depth_{0};
};

}  // namespace store

struct counter {
  long padding;
  std::atomic<int> value;
};

static store::Queue queue;
static store::Stack<char>* stack;
static counter* tally;
static std::atomic<int> total;

__attribute__((noinline)) static void count(counter* c) {
  int seen = c->value.load();
  c->value.store(seen + 1);
}

__attribute__((noinline)) static void add() {
  int seen = total.load();
  total.store(seen + 1);
}

// Does nothing itself: what it calls is what it is about.
__attribute__((noinline)) static void fill() { stack->push('x'); }

static void work() {
  add();
  fill();
  queue.push(1);
  count(tally);
}

int main() {
  stack = new store::Stack<char>;
  tally = new counter{0, {0}};
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(total == 2);           // where: add
  assert(stack->depth() == 2);  // where: stack
  assert(queue.size == 2);      // where: queue
  assert(tally->value == 2);    // where: count
  delete tally;
  delete stack;
}
