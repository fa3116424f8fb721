// SPDX-License-Identifier: Apache-2.0
// A sorted list with a mutex in every node: the next one is locked before the last one is given
// back, and a removed node is freed while its neighbours are held.
// SCHEDULES: 20
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Node {
  int value = 0;
  std::unique_ptr<Node> next;
  std::mutex guard;
};
Node head;

// Calls use(before, node) with both locked, where node is the first that is not less than value.
template <typename Use>
void visit(int value, Use use) {
  Node* before = &head;
  std::unique_lock first(before->guard);
  while (Node* node = before->next.get()) {
    std::unique_lock second(node->guard);
    if (node->value >= value) {
      use(*before, second);
      return;
    }
    before = node;
    first = std::move(second);
  }
  std::unique_lock<std::mutex> none;
  use(*before, none);
}

void insert(int value) {
  visit(value, [value](Node& before, auto&) {
    auto node = std::make_unique<Node>();
    node->value = value;
    node->next = std::move(before.next);
    before.next = std::move(node);
  });
}

bool remove(int value) {
  bool removed = false;
  visit(value, [&](Node& before, std::unique_lock<std::mutex>& held) {
    if (!before.next || before.next->value != value) return;
    auto node = std::move(before.next);
    before.next = std::move(node->next);
    held.unlock();  // nobody can wait for it: they would have to hold `before`
    removed = true;
  });
  return removed;
}

}  // namespace

int main() {
  insert(1);
  insert(3);
  std::thread first([] {
    insert(2);
    assert(remove(1));
  });
  std::thread second([] { assert(remove(3)); });
  insert(4);
  first.join();
  second.join();
  assert(head.next->value == 2 && head.next->next->value == 4 && !head.next->next->next);
  return 0;
}
